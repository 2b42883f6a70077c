import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct PeaksCollectorTests {
  private let all = Points.random(100, channels: 2)

  private func time(_ point: Int) -> MediaTime {
    MediaTime(value: Int64(point * 256), timescale: 44_100)
  }

  private func collected(_ parts: [(Range<Int>, at: MediaTime)]) throws -> Peaks {
    var collector = PeaksCollector()
    try collector.begin(FormatDescription(.peaks(all.format)))
    for (points, time) in parts { try collector.add(SampleBuffer(all[points], at: time)) }
    return try #require(collector.peaks)
  }

  @Test func timesSayWherePointsStand() throws {
    #expect(
      try collected([
        (50..<60, time(1_050)), (0..<50, time(1_000)), (80..<100, time(1_080)),
        (60..<80, time(1_060)),
      ]) == all)
  }

  @Test func samplesWithoutTimesFollow() throws {
    #expect(try collected([(0..<30, time(7)), (30..<100, .invalid)]) == all)
  }

  @Test func whatIsMissingIsSilence() throws {
    let gapped = try collected([(0..<10, time(0)), (20..<100, time(20))])
    #expect(
      gapped.count == 100 && gapped[0..<10] == all[0..<10] && gapped[20..<100] == all[20..<100])
    #expect(gapped[10..<20].values.allSatisfy { $0 == 0 })
  }

  @Test func whatComesTwiceHoldsAsItCameLast() throws {
    #expect(try collected([(20..<60, time(0)), (0..<100, time(0))]) == all)
    let later = try collected([(0..<100, time(0)), (0..<10, time(95))])
    #expect(later.count == 105 && later[0..<95] == all[0..<95] && later[95..<105] == all[0..<10])
  }

  @Test func timesThatJumpAreAnError() throws {
    let error = #expect(throws: NodeError.self) {
      try collected([(0..<10, time(0)), (10..<20, time(1 << 30))])
    }
    #expect(error?.message.contains("jump") == true)
    #expect(throws: NodeError.self) {
      try collected([(10..<20, time(1 << 30)), (0..<10, time(0))])
    }
  }

  @Test func formatsThatChangeAreAnError() throws {
    var collector = PeaksCollector()
    try collector.begin(FormatDescription(.peaks(all.format)))
    try collector.begin(FormatDescription(.peaks(all.format)))
    try collector.add(SampleBuffer(all))
    #expect(throws: NodeError.self) {
      try collector.begin(FormatDescription(.peaks(Points.mono.format)))
    }
    #expect(throws: NodeError.self) { try collector.begin(FormatDescription(.measurement)) }
  }
}
