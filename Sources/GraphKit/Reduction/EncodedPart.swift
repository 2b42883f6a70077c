import GraphKitSystem

/// A file with the packets that a graph's encoders have made of a piece of its video, in the order in
/// which they came, whichever encoder they are of.
///
/// After the line that says what it is, records follow, each with a head of six little-endian numbers of
/// 64 bits: kind, track, bytes of its body, and three times in nanoseconds, of which the least number
/// says that it isn't known.
enum EncodedPart {
  static let beginning = Array("GraphKit encoded part 1\n".utf8)
  static let headSize = 48

  /// What a record is of.
  enum Kind: Int64 {
    /// The caps of the packets that follow on a track.
    case format
    /// A packet, and one that decoding can begin with.
    case packet
    case keyPacket
    /// The part itself, before all others: where it begins, and where it ends.
    case piece
    /// The end of the part, with the number of its packets in place of a time.
    case end
  }

  /// A record's head.
  struct Head: Equatable {
    var kind: Kind
    var track = 0
    var byteCount = 0
    /// When a packet is presented and decoded, and how long it lasts.
    var times: [Int64] = [.min, .min, .min]

    init(_ kind: Kind, track: Int = 0, byteCount: Int = 0, _ times: [Int64] = []) {
      (self.kind, self.track, self.byteCount) = (kind, track, byteCount)
      for (index, time) in times.prefix(3).enumerated() { self.times[index] = time }
    }

    /// Reads what ``bytes`` are; `nil` where they are something else.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == headSize else { return nil }
      let numbers = (0..<6).map { number in
        // The last byte is the highest.
        bytes[(number * 8)...].prefix(8).reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      }
      guard let kind = Kind(rawValue: numbers[0]), numbers[1] >= 0, numbers[2] >= 0,
        let track = Int(exactly: numbers[1]), let count = Int(exactly: numbers[2])
      else { return nil }
      self.init(kind, track: track, byteCount: count, Array(numbers[3...]))
    }

    var bytes: [UInt8] {
      ([kind.rawValue, Int64(track), Int64(byteCount)] + times).flatMap { number in
        (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64($0 * 8)) }
      }
    }
  }
}
