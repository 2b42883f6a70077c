import Media

/// What the samples of a track that is written are, and what a player has to know to decode them.
package struct MovieTrackFormat: Hashable, Sendable {
  /// What a track's samples are.
  package enum Content: Hashable, Sendable {
    /// Packets of a coding format.
    case coded(Codec)
    /// PCM, a sample for each frame of it.
    case pcm(SampleFormat)
    /// Text that is shown until the next.
    case text
  }

  /// What the samples are.
  package var content: Content
  /// The decoder's configuration, as the codec's binding to ISO base media files has it: the contents
  /// of `avcC`, `hvcC` or `vpcC`, an AudioSpecificConfig, the contents of `dOps`, `alac` or `dfLa`.
  /// Empty for MP3 and ProRes, and for AC-3, E-AC-3 and AV1, whose first sample says it all.
  package var configuration: [UInt8] = []
  /// Pixels of a frame; 0 for audio.
  package var width = 0
  package var height = 0
  /// Frames a second, where the stream says.
  package var frameRate: Rational?
  /// A pixel's width to its height as it is shown; `nil` for squares.
  package var pixelAspectRatio: Rational?
  /// What the colours are; `nil` where the stream doesn't say.
  package var color: ColorNumbers?
  /// Samples a second, and channels; 0 for video.
  package var sampleRate = 0
  package var channels = 0
  /// The four letters of the kind of ProRes.
  package var variant = "apcn"
  /// Bits of a sample of lossless audio.
  package var bitDepth = 16
  /// The speakers of the channels of PCM, as WAV files have them, a bit each; 0 where that isn't
  /// known.
  package var speakers: Speakers = []
  /// What the display was that the colours were made on: the contents of `mdcv`; empty for nothing.
  package var masteringDisplay: [UInt8] = []
  /// The brightest pixel and frame: the contents of `clli`; empty for nothing.
  package var contentLight: [UInt8] = []
  /// The language by its three letters (ISO 639-2/T); `nil` for none.
  package var language: String?
  /// The language in more words than the three letters have (BCP 47): `pt-BR`; `nil` for no more.
  package var languageTag: String?

  package init(_ codec: Codec) { content = .coded(codec) }
  package init(_ content: Content) { self.content = content }

  /// The coding format; `nil` for what isn't encoded.
  package var codec: Codec? { if case .coded(let codec) = content { codec } else { nil } }

  var isVideo: Bool { codec?.kind == .encodedVideo }
  var isText: Bool { content == .text }
  var isAudio: Bool { !isVideo && !isText }

  /// Bytes of a frame of PCM; `nil` for what isn't PCM.
  var frameSize: Int? {
    guard case .pcm(let format) = content else { return nil }
    return format.bytesPerSample * max(1, channels)
  }

  /// Whether the configuration is made of the first sample, without which there is none.
  var needsFirstSample: Bool {
    guard let codec else { return false }
    return [.ac3, .eac3, .av1].contains(codec) && configuration.isEmpty
  }

  /// Whether samples of this format and of another need descriptions of their own in a track: they need
  /// something else to be decoded, or have another size.
  package func needsDescription(besides other: MovieTrackFormat) -> Bool {
    content != other.content || configuration != other.configuration
      || (width, height) != (other.width, other.height)
      || (sampleRate, channels) != (other.sampleRate, other.channels)
  }

  /// Whether samples of another format may follow in the same track: of video in the same codec, which
  /// says all that decoding needs beside its samples.
  package func mayBecome(_ other: MovieTrackFormat) -> Bool {
    isVideo && content == other.content && !configuration.isEmpty && !other.configuration.isEmpty
  }

  /// Units a second of the track's times. Those of audio are its samples. Those of video are a
  /// multiple of its frame rate, and so fine that frames which come at other times are at most
  /// 6 µs off. Finer ones would be too many for tables, where slides are minutes long: players take no
  /// more than 2^28 between when a frame is decoded and presented. Those of text are milliseconds.
  var timescale: Int {
    if isText { return 1_000 }
    guard isVideo else { return codec == .opus ? 48_000 : max(1, sampleRate) }
    guard let rate = frameRate?.numerator, (1...1_000_000).contains(rate) else { return 90_000 }
    return rate * max(1, (90_000 + rate - 1) / rate)
  }
}

/// A sample's times, in nanoseconds of the movie's own, and whether decoding can start at it.
package struct MovieSample: Hashable, Sendable {
  package var presentation: Int64
  package var decode: Int64
  /// 0 where it isn't known.
  package var duration: Int64
  package var isSync: Bool

  package init(presentation: Int64, decode: Int64, duration: Int64, isSync: Bool) {
    (self.presentation, self.decode) = (presentation, decode)
    (self.duration, self.isSync) = (duration, isSync)
  }

  func moved(by time: Int64) -> MovieSample {
    MovieSample(
      presentation: presentation &+ time, decode: decode &+ time, duration: duration, isSync: isSync
    )
  }
}
