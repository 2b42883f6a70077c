extension FormatConstraint {
  /// What both constraints accept, field by field, in this one's order of preference.
  ///
  /// The kind `any` meets every kind. Throws the first field in which nothing is left, with what
  /// each side says of it.
  public func intersection(
    _ other: FormatConstraint
  ) throws(FormatConflict) -> FormatConstraint {
    var common = self
    common.kind = try Self.common("kind", kind, other.kind, open: .any, \.spoken)
    common.codecs = try Self.common("codec", codecs, other.codecs, \.spoken)
    common.sampleFormats = try Self.common(
      "sampleFormat", sampleFormats, other.sampleFormats, \.rawValue)
    common.layouts = try Self.common("layout", layouts, other.layouts, \.rawValue)
    common.sampleRates = try Self.common(
      "sampleRate", sampleRates, other.sampleRates, FormatWords.sampleRate)
    common.channels = try Self.common(
      "channels", channels, other.channels, FormatWords.channels)
    common.pixelFormats = try Self.common(
      "pixelFormat", pixelFormats, other.pixelFormats, \.spoken)
    common.width = try Self.common("width", width, other.width, open: nil, Self.word)
    common.height = try Self.common("height", height, other.height, open: nil, Self.word)
    common.frameRate = try Self.common("frameRate", frameRate, other.frameRate, open: nil) {
      $0.map(FormatWords.frameRate) ?? "any"
    }
    // What is known of frames and samples, and asked of none.
    common.rotation = rotation ?? other.rotation
    common.bitDepth = bitDepth ?? other.bitDepth
    common.otherCaps = otherCaps ?? other.otherCaps
    return common
  }

  /// Whether samples of a format may pass: every field that the format states is among those that
  /// the constraint allows. Raw video of a varying frame rate meets no constraint on that rate.
  public func accepts(_ format: MediaFormat) -> Bool {
    if case .video(let video) = format, video.frameRate == nil, frameRate != nil { return false }
    guard case .other = format else {
      return (try? intersection(FormatConstraint(format))) != nil
    }
    return kind == .any || (kind == .text && format.kind == .text)
  }

  /// The constraint that only one format meets; fields that the format leaves open stay open.
  public init(_ format: MediaFormat) {
    switch format {
    case .audio(let audio):
      self = .audio(
        [audio.sampleFormat], layouts: [audio.layout], sampleRates: [audio.sampleRate],
        channels: [audio.channels])
    case .video(let video):
      self = .video(
        [video.pixelFormat], width: video.width, height: video.height, frameRate: video.frameRate)
    case .encoded(let encoded): self.init(encoded)
    case .peaks, .measurement, .other: self.init(format.kind)
    }
  }

  private init(_ format: EncodedFormat) {
    self = .encoded(format.codec)
    sampleRates = format.sampleRate.map { [$0] } ?? []
    channels = format.channels.map { [$0] } ?? []
    bitDepth = format.bitDepth
    width = format.width
    height = format.height
    frameRate = format.frameRate
  }

  private static func common<Value: Equatable>(
    _ field: String, _ first: [Value], _ second: [Value], _ word: (Value) -> String
  ) throws(FormatConflict) -> [Value] {
    if first.isEmpty { return second }
    if second.isEmpty { return first }
    let common = first.filter(second.contains)
    guard common.isEmpty else { return common }
    throw FormatConflict(
      field: field, first: FormatWords.either(first.map(word)),
      second: FormatWords.either(second.map(word)))
  }

  private static func common<Value: Equatable>(
    _ field: String, _ first: Value, _ second: Value, open: Value, _ word: (Value) -> String
  ) throws(FormatConflict) -> Value {
    if first == open { return second }
    if second == open || first == second { return first }
    throw FormatConflict(field: field, first: word(first), second: word(second))
  }

  private static func word(_ number: Int?) -> String { number.map { "\($0)" } ?? "any" }
}
