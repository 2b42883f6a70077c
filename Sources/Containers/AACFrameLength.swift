import Media

/// How long frames of AAC are, by the AudioSpecificConfig of their stream (ISO/IEC 14496-3, 1.6.2.1).
package enum AACFrameLength {
  /// The duration of each frame; `nil` where the configuration is cut off, or of a kind whose frames have
  /// other lengths.
  package static func duration(configuration: [UInt8]) -> MediaTime? {
    var bits = BitReader(configuration)
    var kind = readKind(&bits)
    // The rate of what is coded: that of the audio is twice as high where the band is replicated.
    let rate = readRate(&bits)
    bits.skip(4)
    if isExtended(kind) {
      _ = readRate(&bits)
      kind = readKind(&bits)
    }
    let isShort = bits.readFlag()
    guard !bits.isExhausted, let rate, let samples = samples(kind, isShort: isShort) else {
      return nil
    }
    return MediaTime(value: samples, timescale: Int32(rate))
  }

  /// Whether a kind of audio object says which one it adds to: by replication of the band, or that and
  /// parametric stereo.
  private static func isExtended(_ kind: Int) -> Bool { kind == 5 || kind == 29 }

  private static func readKind(_ bits: inout BitReader) -> Int {
    let kind = bits.read(5)
    return kind == 31 ? 32 + bits.read(6) : kind
  }

  private static func readRate(_ bits: inout BitReader) -> Int? {
    let index = bits.read(4)
    if index == 15 {
      let rate = bits.read(24)
      return rate > 0 ? rate : nil
    }
    return ADTSFrames.rates.indices.contains(index) ? ADTSFrames.rates[index] : nil
  }

  /// Samples of a frame (4.4.1): main, low complexity, scalable rate and long-term prediction have the
  /// same, low delay has half as many.
  private static func samples(_ kind: Int, isShort: Bool) -> Int64? {
    switch kind {
    case 1...4: isShort ? 960 : Int64(ADTSFrames.frameLength)
    case 23: isShort ? 480 : 512
    default: nil
    }
  }
}
