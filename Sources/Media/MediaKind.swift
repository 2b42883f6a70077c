/// The kind of media that a port carries: raw or encoded, audio or video.
public enum MediaKind: String, Hashable, Sendable, Codable, CaseIterable {
  case audio
  case video
  case encodedAudio
  case encodedVideo
  /// The points of a waveform.
  case peaks
  /// What was measured of a stream, as text in JSON.
  case measurement
  /// Text that is shown for some time, as subtitles are.
  case text
  /// Anything at all: the port of a node that doesn't look into its samples.
  case any

  /// The kind as a person says it, for diagnostics and listings.
  public var spoken: String {
    switch self {
    case .audio: "raw audio"
    case .video: "raw video"
    case .encodedAudio: "encoded audio"
    case .encodedVideo: "encoded video"
    case .peaks: "waveform peaks"
    case .measurement: "a measurement"
    case .text: "timed text"
    case .any: "any media"
    }
  }

  /// The raw kind that decoding yields; a raw kind is its own.
  public var decoded: MediaKind {
    switch self {
    case .encodedAudio: .audio
    case .encodedVideo: .video
    default: self
    }
  }

  /// Whether samples of this kind need a decoder before they can be processed.
  public var isEncoded: Bool { self == .encodedAudio || self == .encodedVideo }
}

/// A media kind as a type, so that a wire between ports of different kinds doesn't compile.
public protocol MediaTag: Sendable {
  /// The kind that this type stands for.
  static var kind: MediaKind { get }
}

/// Raw audio, as a port's type.
public enum Audio: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.audio
}

/// Raw video, as a port's type.
public enum Video: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.video
}

/// Encoded audio, as a port's type.
public enum EncodedAudio: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.encodedAudio
}

/// Encoded video, as a port's type.
public enum EncodedVideo: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.encodedVideo
}

/// What was measured of a stream, as a port's type.
public enum Measurement: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.measurement
}

/// Text that is shown for some time, as a port's type.
public enum TimedText: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.text
  /// The media type in GStreamer's caps.
  static let mediaType = "text/x-raw"
}

/// Media of any kind, as a port's type.
public enum AnyMedia: MediaTag {
  /// The kind that this type stands for.
  public static let kind = MediaKind.any
}
