import TestTools
import Testing

@testable import GraphKit

/// Summaries as bytes.
@Suite(.inTurn) struct SummaryCodingTests {
  private struct Values: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    var whole = -5
    var small: Int16 = -300
    var large = UInt64.max - 1
    var none: UInt32?
    var some: UInt8? = 7
    var nested: [Range<Int>] = [3..<9, 0..<Int.max]
    var numbers: [Double] = [0.1, -0.0, .infinity, .leastNonzeroMagnitude]
    var floats: [Float] = [.pi]
    var sums: [UInt64] = [1 << 63]
    var bytes: [UInt8] = [0, 255]
    var empty: [Int16] = []
    var text = "Ü\n"
    var flag = true
    var kind = Kind.two
  }

  @Test func everyBitIsKept() throws {
    let values = Values()
    let bytes = try SummaryEncoder.bytes(of: values)
    #expect(try SummaryDecoder.value(Values.self, of: bytes) == values)
    #expect(try SummaryDecoder.value(Values.self, of: bytes).numbers[1].sign == .minus)
  }

  @Test func bytesThatAreCutOffOrTooManyAreRefused() throws {
    let bytes = try SummaryEncoder.bytes(of: Values())
    for count in bytes.indices {
      #expect(throws: SummaryDecoder.Unreadable.self, "\(count)") {
        try SummaryDecoder.value(Values.self, of: Array(bytes[..<count]))
      }
    }
    #expect(throws: SummaryDecoder.Unreadable.self) {
      try SummaryDecoder.value(Values.self, of: bytes + [0])
    }
  }

  @Test func listsLongerThanTheirBytesAreRefused() {
    let bytes = [UInt8](repeating: 0x7f, count: 9)
    #expect(throws: SummaryDecoder.Unreadable.self) {
      try SummaryDecoder.value([UInt64].self, of: bytes)
    }
    #expect(throws: SummaryDecoder.Unreadable.self) {
      try SummaryDecoder.value([Range<Int>].self, of: bytes)
    }
    #expect(throws: SummaryDecoder.Unreadable.self) {
      try SummaryDecoder.value(String.self, of: bytes)
    }
  }
}
