import TestTools
import Testing

@testable import GStreamer

/// How far a stream has come, whatever its file says of the times of its samples.
@Suite(.inTurn) struct StreamExtentTests {
  private func end(of samples: [(time: UInt64, duration: UInt64)]) -> UInt64 {
    let extent = StreamExtent { _ in }
    for sample in samples { extent.add(sample.time, sample.duration) }
    return max(extent.end, extent.length)
  }

  @Test func endsWhereTheLastSampleEnds() {
    #expect(end(of: [(0, 20), (20, 20), (40, .max)]) == 40)
    #expect(end(of: [(100, 20), (.max, 20)]) == 120)
    #expect(end(of: [(7, 20), (7, 20), (7, 20)]) == 60)
  }

  @Test func takesTimesOfADamagedFileForNone() {
    #expect(end(of: [(0, .max - 1), (20, .max - 1), (40, 20)]) == 60)
    #expect(end(of: [(0, 20), (.max - 1, 20), (20, 20)]) == 60)
    #expect(end(of: [(0, 1 << 63), (20, 1 << 63), (40, 20)]) == 60)
  }
}
