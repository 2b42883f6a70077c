import TestTools
import Testing

@testable import GraphKit

/// What parts' files are made of.
@Suite(.inTurn) struct PartBytesTests {
  private struct Sums: AssociativeReducer {
    var sums: [Double]
    var endFrame = 0
    mutating func add(_ block: borrowing PCMBlock) throws(NodeError) {}
    mutating func merge(_ next: consuming Sums) { sums += next.sums }
  }

  /// A NaN isn't equal to itself, but its bytes are.
  @Test func summariesWithNaNAreWritten() throws {
    let bytes = try PartFile.bytes(of: Sums(sums: [.nan, 1]))
    let read = try SummaryDecoder.value(Sums.self, of: bytes)
    #expect(read.sums.first?.isNaN == true && read.sums.last == 1)
  }
}
