public import GraphKit

/// A track of a media file.
public struct AssetTrack: Hashable, Sendable {
  /// The kinds of track that can be read.
  public enum Kind: String, Hashable, Sendable { case audio, video, text }

  /// Its number in its file, from 1.
  public let number: Int
  /// What it holds.
  public let kind: Kind
  /// The format in which it is stored: a codec's, or a raw one.
  public let format: MediaFormat
  /// When it begins, counted from the file's beginning; invalid where the file doesn't say.
  public let start: MediaTime
  /// How long it is; where the file doesn't say that of it alone, how long the file is, and invalid where
  /// it doesn't say that either.
  public let duration: MediaTime
  /// Its language as a tag of BCP 47; `nil` where the file doesn't say.
  public let language: String?
  /// What the file calls it; `nil` for nothing.
  public let name: String?
  /// Whether players present it unless users choose another, as far as the file says.
  public let isDefault: Bool
  /// Whether it has subtitles that are shown though users want none.
  public let isForced: Bool
  /// How its frames are to be turned; ``Rotation/none`` for as they are.
  public let rotation: Rotation
  /// What the file says of it alone, by GStreamer's names of tags: `bitrate`, `encoder`.
  public let metadata: [String: String]
  /// The port of a `file` node that it leaves by.
  let port: String
  /// Its number in the index of its file, where that is a movie.
  let identifier: Int?

  init(number: Int, port: String, _ stream: DiscoveredStream) {
    (self.number, self.port) = (number, port)
    identifier = stream.identifier.split(separator: "/").last.flatMap { Int($0) }
    kind = Kind(rawValue: String(port.prefix { $0 != "." })) ?? .video
    format = stream.format
    start = stream.presentation?.start ?? .invalid
    duration = stream.presentation?.duration ?? stream.tagged ?? stream.duration ?? .invalid
    language = stream.tags["language-tag"] ?? stream.tags["language-code"]
    (name, isDefault) = (stream.label?.name, stream.label?.isDefault ?? true)
    isForced = stream.label?.isForced ?? false
    rotation = stream.rotation ?? .none
    metadata = stream.tags.filter { Self.isOfTrack($0.key) }
  }

  /// Whether a tag is of one track, and not of its file.
  static func isOfTrack(_ tag: String) -> Bool {
    tag.contains("bitrate") || tag.contains("codec") || tag.contains("language")
      || tag == "encoder" || tag == "container-format" || tag == "image-orientation"
  }

  /// When it ends, counted from the file's beginning; invalid where the file doesn't say.
  public var end: MediaTime { start.isNumeric ? start + duration : duration }

  /// The size of its frames, in pixels, before they are turned; `nil` of what isn't video, and where
  /// the file doesn't say.
  public var naturalSize: (width: Int, height: Int)? { format.frameSize }

  /// Samples a second of each channel; `nil` of what isn't audio, and where the file doesn't say.
  public var sampleRate: Int? {
    switch format {
    case .audio(let audio): audio.sampleRate
    case .encoded(let encoded): encoded.sampleRate
    default: nil
    }
  }

  /// The number of its channels; `nil` of what isn't audio, and where the file doesn't say.
  public var channels: Int? {
    switch format {
    case .audio(let audio): audio.channels
    case .encoded(let encoded): encoded.channels
    default: nil
    }
  }

  /// Frames a second; `nil` of what isn't video, and where the file doesn't say.
  public var frameRate: Rational? { format.frameRate }
}

extension DiscoveredStream {
  /// How long its tags say that it is, which may be what it was in another file.
  fileprivate var tagged: MediaTime? {
    guard let tagged = taggedDuration, tagged > .zero else { return nil }
    return duration.map { min($0, tagged) } ?? tagged
  }
}
