/// What the samples on a running wire are: the format description of `SampleBuffer`.
public enum MediaFormat: Hashable, Sendable {
  /// Raw audio.
  case audio(AudioFormat)
  /// Raw video.
  case video(VideoFormat)
  /// Compressed audio or video.
  case encoded(EncodedFormat)
  /// The points of a waveform.
  case peaks(PeaksFormat)
  /// What was measured, as text in JSON.
  case measurement
  /// Media that GraphKit has no words for, by its caps.
  case other(caps: String)
}

/// Linear PCM.
public struct AudioFormat: Hashable, Sendable {
  /// How one sample is stored.
  public var sampleFormat: SampleFormat
  /// Samples a second of each channel.
  public var sampleRate: Int
  /// The number of channels. Others than before are for the usual speakers.
  public var channels: Int { didSet { if channels != oldValue { unusual = [] } } }
  /// How the channels lie in a block.
  public var layout: ChannelLayout
  private var unusual: Speakers = []

  /// A PCM format. Without `speakers`, or with more or fewer than there are channels, these are for the
  /// usual ones.
  public init(
    _ sampleFormat: SampleFormat, sampleRate: Int, channels: Int,
    layout: ChannelLayout = .interleaved, speakers: Speakers? = nil
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channels = channels
    self.layout = layout
    if let speakers { self.speakers = speakers }
  }

  /// The speakers that the channels are for, in their order: where that isn't known the usual ones of so
  /// many, and none of more than eight.
  public var speakers: Speakers {
    get { unusual.isEmpty ? .usual(channels) : unusual }
    set {
      // Mono is mono, and two channels are left and right.
      let isOther = channels > 2 && newValue.count == channels && newValue.isKnown
      unusual = isOther && newValue != .usual(channels) ? newValue : []
    }
  }

  /// Whether samples are stored alike, whatever speakers they are for.
  public func isStored(like other: AudioFormat) -> Bool {
    var same = other
    same.unusual = unusual
    return self == same
  }

  /// Bytes of one frame: one sample of each channel.
  public var bytesPerFrame: Int { sampleFormat.bytesPerSample * channels }
}

/// Uncompressed video.
public struct VideoFormat: Hashable, Sendable, Codable {
  /// How pixels are stored.
  public var pixelFormat: PixelFormat
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int
  /// Frames a second; `nil` where it varies.
  public var frameRate: Rational?
  /// The caps' `colorimetry` (such as `bt709`), empty where the stream doesn't say.
  public var colorimetry: String
  /// A pixel's width to its height as it is shown; `nil` for squares.
  public var pixelAspectRatio: Rational?

  /// A video format.
  public init(
    _ pixelFormat: PixelFormat, width: Int, height: Int, frameRate: Rational? = nil,
    colorimetry: String = ""
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.colorimetry = colorimetry
  }

  /// ``pixelAspectRatio`` as a number, within what any frame has.
  public var pixelShape: Double { min(max(pixelAspectRatio?.value ?? 1, 0.01), 100) }
}

/// Compressed audio or video.
public struct EncodedFormat: Hashable, Sendable, Codable {
  /// The coding format.
  public var codec: Codec
  /// Samples a second, of audio.
  public var sampleRate: Int?
  /// Channels, of audio.
  public var channels: Int?
  /// Bits of a sample, of audio that was encoded without loss in a file that says so.
  public var bitDepth: Int?
  /// Width in pixels, of video.
  public var width: Int?
  /// Height in pixels, of video.
  public var height: Int?
  /// Frames a second, of video.
  public var frameRate: Rational?

  /// A compressed format.
  public init(_ codec: Codec) { self.codec = codec }
}
