/// A checksum of bytes, by which damage is found, and no intent: 64 bits, at some gigabytes a second.
///
/// It depends on the bytes alone, and not on the parts that they come in. Files hold such sums, so
/// that the way they are computed may not change.
package struct Checksum: Hashable, Sendable {
  private var sum: UInt64 = 0x9e37_79b9_7f4a_7c15
  /// The bytes after the last whole word, the first in the lowest bits.
  private var rest: UInt64 = 0
  private var count = 0

  package init() {}

  package mutating func add(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      var index = 0
      while count & 7 != 0, index < bytes.count {
        add(unsafe bytes[index])
        index += 1
      }
      while index + 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        mix(UInt64(littleEndian: word))
        (index, count) = (index + 8, count &+ 8)
      }
      while index < bytes.count {
        add(unsafe bytes[index])
        index += 1
      }
    }
  }

  private mutating func add(_ byte: UInt8) {
    rest |= UInt64(byte) << UInt64(8 * (count & 7))
    count &+= 1
    guard count & 7 == 0 else { return }
    mix(rest)
    rest = 0
  }

  private mutating func mix(_ word: UInt64) {
    sum = (sum ^ word) &* 0xff51_afd7_ed55_8ccd
    sum ^= sum >> 32
  }

  /// The sum of what was added so far.
  package var value: UInt64 {
    var end = self
    end.mix(rest)
    end.mix(UInt64(count))
    return end.sum
  }
}
