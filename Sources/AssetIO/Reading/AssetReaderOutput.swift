public import GraphKit
import Nodes

/// What a reader is to hand out: samples of a track, or of several as one.
public struct AssetReaderOutput: Sendable {
  /// How decoded audio is handed out; what isn't set stays as the decoder makes it.
  public struct AudioSettings: Hashable, Sendable {
    /// How samples are stored.
    public var sampleFormat: SampleFormat?
    /// How channels lie in a block; `nil` for interleaved where a sample format is stated, and else as the
    /// decoder makes it.
    public var layout: ChannelLayout?
    /// Samples a second of each channel.
    public var sampleRate: Int?
    /// The number of channels.
    public var channels: Int?

    /// Settings of audio.
    public init(
      _ sampleFormat: SampleFormat? = nil, layout: ChannelLayout? = nil, sampleRate: Int? = nil,
      channels: Int? = nil
    ) {
      (self.sampleFormat, self.layout) = (sampleFormat, layout)
      (self.sampleRate, self.channels) = (sampleRate, channels)
    }

    /// How channels lie in what is handed out; `nil` where the decoder decides.
    var madeLayout: ChannelLayout? { layout ?? (sampleFormat == nil ? nil : .interleaved) }
  }

  /// How decoded video is handed out; what isn't set stays as the decoder makes it.
  public struct VideoSettings: Hashable, Sendable {
    /// How pixels are stored.
    public var pixelFormat: PixelFormat?
    /// The width in pixels to scale to; `nil` for what the height asks for.
    public var width: Int?
    /// The height in pixels to scale to; `nil` for what the width asks for.
    ///
    /// Frames of another shape get borders where the pixel format is stated, and one of I420, NV12, BGRA and
    /// RGBA. In others, and where frames are left on their side, pixels change their shape instead, and a
    /// side that isn't given stays.
    public var height: Int?
    /// Whether frames are turned upright, as their file says.
    public var isUpright: Bool

    /// Settings of video.
    public init(
      _ pixelFormat: PixelFormat? = nil, width: Int? = nil, height: Int? = nil,
      isUpright: Bool = false
    ) {
      (self.pixelFormat, self.width, self.height) = (pixelFormat, width, height)
      self.isUpright = isUpright
    }
  }

  /// How a video is placed in a composition.
  public struct Layer: Hashable, Sendable {
    /// The track.
    public var track: AssetTrack
    /// Where its frames lie, in pixels from the top left: the first layer fills the picture, whatever
    /// is said here.
    public var x = 0, y = 0
    /// The size it is scaled to; `nil` for its own.
    public var width: Int?, height: Int?
    /// From 0, where nothing of it shows, to 1.
    public var opacity = 1.0

    /// A layer in the top left corner, in its own size.
    public init(_ track: AssetTrack) { self.track = track }
  }

  enum Content: Sendable {
    case stored(AssetTrack)
    case audio(AssetTrack, AudioSettings)
    case video(AssetTrack, VideoSettings)
    case mix([AssetTrack], AudioSettings)
    case composition([Layer], VideoSettings)
  }

  let content: Content

  /// The samples of a track as they are in the file: packets of a codec, or raw ones.
  public static func stored(_ track: AssetTrack) -> Self { Self(content: .stored(track)) }

  /// The decoded audio of a track.
  public static func audio(_ track: AssetTrack, _ settings: AudioSettings = .init()) -> Self {
    Self(content: .audio(track, settings))
  }

  /// The decoded frames of a track of video.
  public static func video(_ track: AssetTrack, _ settings: VideoSettings = .init()) -> Self {
    Self(content: .video(track, settings))
  }

  /// The audio of several tracks, added up.
  public static func audioMix(_ tracks: [AssetTrack], _ settings: AudioSettings = .init()) -> Self {
    Self(content: .mix(tracks, settings))
  }

  /// Several videos in one picture, each layer on top of those before it. The picture has the size,
  /// the frames and the length of the first.
  public static func videoComposition(_ layers: [Layer], _ settings: VideoSettings = .init())
    -> Self
  { Self(content: .composition(layers, settings)) }

  /// The tracks whose samples are read.
  public var tracks: [AssetTrack] {
    switch content {
    case .stored(let track), .audio(let track, _), .video(let track, _): [track]
    case .mix(let tracks, _): tracks
    case .composition(let layers, _): layers.map(\.track)
    }
  }
}
