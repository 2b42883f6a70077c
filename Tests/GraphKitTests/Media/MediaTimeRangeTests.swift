import TestTools
import Testing

@testable import GraphKit

private func range(_ start: Int64, _ end: Int64) -> MediaTimeRange {
  MediaTimeRange(
    start: MediaTime(value: start, timescale: 10), end: MediaTime(value: end, timescale: 10))
}

@Suite(.inTurn) struct MediaTimeRangeTests {
  @Test func holdsItsStartAndNotItsEnd() {
    let second = range(10, 20)
    #expect(second.contains(MediaTime(value: 1, timescale: 1)))
    #expect(second.contains(MediaTime(value: 1999, timescale: 1000)))
    #expect(!second.contains(MediaTime(value: 2, timescale: 1)))
    #expect(!second.contains(.invalid) && !second.contains(.indefinite))
    #expect(!range(10, 10).contains(MediaTime(value: 1, timescale: 1)))
    #expect(second.description == "1.000 s to 2.000 s")
  }

  @Test(arguments: [
    (range(0, 10), range(5, 20), range(5, 10) as MediaTimeRange?),
    (range(0, 30), range(5, 20), range(5, 20)), (range(0, 10), range(10, 20), nil),
    (range(0, 10), range(20, 30), nil), (range(5, 5), range(0, 10), nil),
  ])
  func intersects(a: MediaTimeRange, b: MediaTimeRange, common: MediaTimeRange?) {
    #expect(a.intersection(b) == common)
    #expect(b.intersection(a) == common)
  }

  @Test func mayBeOpen() {
    let open = MediaTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(open.end == .positiveInfinity)
    #expect(open.contains(MediaTime(value: .max, timescale: 1)))
    #expect(open.intersection(range(5, 20)) == range(5, 20))
    #expect(MediaTimeRange(start: .zero, duration: .invalid).isEmpty)
  }
}
