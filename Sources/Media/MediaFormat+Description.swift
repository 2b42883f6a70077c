extension MediaFormat: CustomStringConvertible {
  /// The format as a person says it; of media without words, the name of its media type.
  public var description: String {
    switch self {
    case .audio(let audio): audio.description
    case .video(let video): video.description
    case .encoded(let encoded): encoded.description
    case .peaks(let peaks): peaks.description
    case .measurement: "a measurement"
    case .other(let caps): CapsStructure.all(in: caps)?.first?.name ?? caps
    }
  }

  /// The kind of media; `any` for other media that GraphKit has no words for.
  public var kind: MediaKind {
    switch self {
    case .audio: .audio
    case .video: .video
    case .encoded(let encoded): encoded.codec.kind
    case .peaks: .peaks
    case .measurement: .measurement
    case .other(let caps): caps.hasPrefix(TimedText.mediaType) ? .text : .any
    }
  }
}

extension AudioFormat: CustomStringConvertible {
  /// `PCM s16 interleaved 44.1 kHz mono`; of channels for unusual speakers their layout, too.
  public var description: String {
    let place = speakers == .usual(channels) ? "" : " (\(speakers))"
    return "PCM \(sampleFormat.rawValue) \(layout.rawValue) \(FormatWords.sampleRate(sampleRate)) "
      + FormatWords.channels(channels) + place
  }
}

extension VideoFormat: CustomStringConvertible {
  /// `I420 video 1280x720 at 29.97/s`.
  public var description: String {
    let rate = frameRate.map { " at \(FormatWords.frameRate($0))" } ?? " at a varying rate"
    return "\(pixelFormat.spoken) video \(width)x\(height)\(rate)"
  }
}

extension PeaksFormat: CustomStringConvertible {
  /// `minMax peaks of 256 samples, 44.1 kHz stereo`.
  public var description: String {
    "\(reduction.rawValue) peaks of \(samplesPerPixel) samples, "
      + "\(FormatWords.sampleRate(sampleRate)) \(FormatWords.channels(channels))"
  }
}

extension EncodedFormat: CustomStringConvertible {
  /// `H.264 1280x720 at 30/s`, `AAC 48 kHz stereo`.
  public var description: String {
    [
      codec.spoken,
      FormatWords.picture(width: width, height: height, frameRate: frameRate),
      sampleRate.map(FormatWords.sampleRate), channels.map(FormatWords.channels),
    ].compactMap { $0 }.joined(separator: " ")
  }
}
