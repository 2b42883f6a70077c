import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct FrameTimesTests {
  private func seconds(_ value: Double) -> MediaTime {
    MediaTime(seconds: value, preferredTimescale: 1_000)
  }

  @Test(arguments: [
    FrameTimes.every(MediaTime(value: 1, timescale: 3)),
    .spread(7, over: MediaTime(value: 10, timescale: 1)),
    .at([0, 0.5, 0.5, 3].map { MediaTime(seconds: $0, preferredTimescale: 1_000) }),
  ])
  func countsTimesBeforeAnother(_ times: FrameTimes) {
    for step in 0..<120 {
      let time = seconds(Double(step) / 10 + 0.003)
      let wanted = (0..<1000).prefix { times.time($0).map { $0 < time } ?? false }.count
      #expect(times.count(before: time) == wanted, "\(time)")
    }
    #expect(times.count(before: .zero) == 0 && times.count(before: .invalid) == 0)
    #expect(times.time(-1) == nil)
  }

  @Test func spreadTimesAreTheMiddlesOfEqualParts() {
    let times = FrameTimes.spread(4, over: seconds(10))
    #expect((0..<5).map { times.time($0)?.seconds } == [1.25, 3.75, 6.25, 8.75, nil])
  }

  @Test func noTimeIsSoLateThatCountingTraps() {
    let every = FrameTimes.every(MediaTime(value: 1, timescale: 1_000))
    #expect(every.count(before: MediaTime(value: .max, timescale: 1)) > 1_000_000)
    #expect(every.time(.max) == nil || every.time(.max)?.isNumeric == true)
  }
}
