public import GraphKit
public import Nodes

/// What a writer takes samples of, and what becomes of them: one track of the movie.
public struct AssetWriterInput: Sendable {
  /// The format of the samples that are appended.
  public let format: MediaFormat
  /// The same to the last detail, of samples that are stored as they come.
  let hint: FormatDescription?
  /// The track's language as a tag of BCP 47, such as `de`; `nil` for none.
  public var language: String?
  /// Whether samples come as time passes, ready or not: raw ones that come while the input isn't ready
  /// are then dropped and counted.
  public var expectsMediaDataInRealTime = false
  /// Wires the program's samples to a port of the movie.
  let wire: Wire
  /// The port of the movie that its track is of.
  let port: String

  typealias Wire = @Sendable (inout GraphBuilder, NodeHandle<AppInput>, MovieInputs, Int) -> Void

  private init(
    _ format: MediaFormat, hint: FormatDescription? = nil, port: String,
    wire: @escaping Wire
  ) {
    (self.format, self.hint, self.port, self.wire) = (format, hint, port, wire)
  }

  /// Raw audio that is encoded as AAC.
  public static func audio(_ format: AudioFormat, _ encoder: AACEncoder = AACEncoder()) -> Self {
    Self(.audio(format), port: "audio") { builder, input, movie, number in
      let encoder = builder.add("audioEncoder\(number)", encoder)
      builder.connect(input.output, to: encoder.input)
      builder.connect(encoder.output, to: movie.audio[number])
    }
  }

  /// Raw audio that stays as it is: for MOV files.
  public static func pcm(_ format: AudioFormat) -> Self {
    Self(.audio(format), port: "pcm") { builder, input, movie, number in
      builder.connect(input.output, to: movie.pcm[number])
    }
  }

  /// Raw frames that are encoded as H.264.
  public static func video(_ format: VideoFormat, _ encoder: H264Encoder = H264Encoder()) -> Self {
    Self(.video(format), port: "video") { builder, input, movie, number in
      let encoder = builder.add("videoEncoder\(number)", encoder)
      builder.connect(input.output, to: encoder.input)
      builder.connect(encoder.output, to: movie.video[number])
    }
  }

  /// Raw frames that are encoded as HEVC.
  public static func video(_ format: VideoFormat, _ encoder: HEVCEncoder) -> Self {
    Self(.video(format), port: "video") { builder, input, movie, number in
      let encoder = builder.add("videoEncoder\(number)", encoder)
      builder.connect(input.output, to: encoder.input)
      builder.connect(encoder.output, to: movie.video[number])
    }
  }

  /// Encoded samples that are stored as they come. Their format says what a decoder has to know: that
  /// of a reader's samples does.
  public static func stored(_ format: FormatDescription) throws(NodeError) -> Self {
    let kind = format.format.kind
    guard kind == .encodedAudio || kind == .encodedVideo else {
      throw NodeError(
        "\(format) isn't encoded",
        remedy: "give an encoder, or take `pcm` for audio that stays as it is")
    }
    let isVideo = kind == .encodedVideo
    return Self(format.format, hint: format, port: isVideo ? "video" : "audio") {
      builder, input, movie, number in
      if isVideo {
        builder.connect(input.output, to: movie.video[number])
      } else {
        builder.connect(input.output, to: movie.audio[number])
      }
    }
  }

  /// Whether what is appended isn't encoded.
  var isRaw: Bool { hint == nil }
  /// Whether it is audio that is encoded already.
  var isStoredAudio: Bool { hint != nil && !isVideo }
  /// Whether what is appended is video.
  var isVideo: Bool { port == "video" }

  /// The node at which samples enter.
  var entry: AppInput {
    var entry = AppInput()
    entry.media = isVideo ? .video : .audio
    entry.live = expectsMediaDataInRealTime
    entry.caps = hint?.capsText ?? format.capsText
    return entry
  }
}
