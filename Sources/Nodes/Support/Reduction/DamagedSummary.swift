/// What summaries that are read of files may hold at most, so that no number made of it overflows.
enum SummaryLimits {
  /// Frames of a stream, counted from its first.
  static let frames = -(1 << 40)...(1 << 61)
  /// Frames a second.
  static let sampleRates = 1...Int(Int32.max)
  static let channels = 1...65_536
}

extension DecodingError {
  /// A summary that no build writes like this.
  static func damagedSummary(_ decoder: any Swift.Decoder, _ what: String) -> DecodingError {
    .dataCorrupted(Context(codingPath: decoder.codingPath, debugDescription: what))
  }
}
