import GraphKitSystem
import TestTools
import Testing

@Suite(.inTurn) struct ChecksumTests {
  private let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

  private func sum(_ bytes: [UInt8], parts: [Int] = []) -> UInt64 {
    var (sum, start) = (Checksum(), 0)
    for end in parts + [bytes.count] {
      sum.add(bytes.span.extracting(start..<end))
      start = end
    }
    return sum.value
  }

  /// Files hold such sums.
  @Test func itStaysWhatItIs() {
    #expect(sum([]) == 15_416_019_768_128_096_361)
    #expect(sum(Array("graph".utf8)) == 3_237_069_950_392_442_405)
    #expect(sum(bytes) == 14_815_057_266_586_551_059)
  }

  @Test func partsAreOfNoConsequence() {
    for parts in [[1], [7, 8, 9], [3, 500, 999], [8, 16]] {
      #expect(sum(bytes, parts: parts) == sum(bytes), "\(parts)")
    }
  }

  @Test func everyBitCounts() {
    var seen: Set = [sum(bytes)]
    for index in bytes.indices {
      for bit in 0..<8 {
        var other = bytes
        other[index] ^= 1 << bit
        seen.insert(sum(other))
      }
    }
    #expect(seen.count == 8 * bytes.count + 1)
    #expect(sum([0]) != sum([0, 0]) && sum([]) != sum([0]))
  }
}
