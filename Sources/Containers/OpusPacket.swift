/// How long a packet of Opus is (RFC 6716, 3.1 and 3.2).
package enum OpusPacket {
  /// The rate that the samples of a packet are counted at.
  package static let sampleRate = 48_000

  /// The samples of a packet at 48 kHz, by its first two bytes; none of an empty one.
  package static func frames(_ bytes: Span<UInt8>) -> Int {
    guard bytes.count > 0 else { return 0 }
    let configuration = Int(bytes[0] >> 3)
    let frame =
      switch configuration {
      case ..<12: [480, 960, 1_920, 2_880][configuration & 3]
      case ..<16: [480, 960][configuration & 1]
      default: [120, 240, 480, 960][configuration & 3]
      }
    switch bytes[0] & 3 {
    case 0: return frame
    case 1, 2: return 2 * frame
    default: return bytes.count > 1 ? Int(bytes[1] & 63) * frame : 0
    }
  }
}
