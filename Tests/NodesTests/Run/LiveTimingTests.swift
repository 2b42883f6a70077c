import Testing

@testable import Nodes

/// When samples of a live stream are presented, without a stream.
@Suite(.inTurn) struct LiveTimingTests {
  private let second: Int64 = 1_000_000_000

  private func place(_ time: Double, _ now: Double, in timing: inout LiveTiming) -> LiveTiming.Place
  {
    timing.place(
      Int64(time * 1e9), of: 0, isPacket: false, isFrame: false, now: Int64(now * 1e9))
  }

  private func present(_ time: Double, _ now: Double, in timing: inout LiveTiming) throws -> Double
  {
    guard case .at(let start) = place(time, now, in: &timing) else { throw Dropped() }
    timing.present(until: start + second / 10, of: 0)
    return Double(start) / 1e9
  }

  private struct Dropped: Error {}

  @Test func theFirstSampleIsPresentedWhenItComes() throws {
    var timing = LiveTiming(.fill, trackCount: 1)
    #expect(try present(100, 2, in: &timing) == 2)
    #expect(try present(100.1, 2.3, in: &timing) == 2.1)
  }

  @Test(arguments: [(LiveStream.Gaps.keep, 7.0), (.fill, 7), (.close, 2.1)])
  func anotherConnectionFollows(_ gaps: LiveStream.Gaps, _ expected: Double) throws {
    var timing = LiveTiming(gaps, trackCount: 1)
    _ = try present(100, 2, in: &timing)
    timing.begin()
    #expect(try present(0, 7, in: &timing) == expected)
  }

  @Test func lateSamplesFollowTheSilenceThatTookTheirPlace() throws {
    var timing = LiveTiming(.fill, trackCount: 1)
    _ = try present(100, 2, in: &timing)
    timing.fill(until: 5 * second, of: 0)
    #expect(try present(100.1, 5.4, in: &timing) == 5)
    #expect(abs(try present(100.2, 5.5, in: &timing) - 5.1) < 1e-6)
  }

  @Test func whatComesTwiceIsDropped() throws {
    var timing = LiveTiming(.fill, trackCount: 1)
    _ = try present(100, 2, in: &timing)
    _ = try present(100.1, 2.1, in: &timing)
    #expect(place(100, 2.2, in: &timing) == .dropped)
  }

  @Test func tracksStayTogether() throws {
    var timing = LiveTiming(.keep, trackCount: 2)
    _ = try present(100, 2, in: &timing)
    let other = timing.place(101 * second, of: 1, isPacket: true, isFrame: true, now: 3 * second)
    #expect(other == .at(3 * second))
  }

  @Test func waitsGrowUntilSomethingComes() {
    var connection = Reconnection(startTimeout: 10, reconnectTimeout: 60, now: 0)
    #expect(connection.nextOpening == 0 && connection.limit == 10)
    connection.refuse(at: 1)
    connection.refuse(at: 2)
    #expect(connection.nextOpening == 2.5 && connection.limit == 10)
    #expect(connection.connect(at: 3) == nil)
    connection.lose(since: 5, at: 6)
    #expect(connection.nextOpening == 6.25 && connection.limit == 65)
    #expect(connection.connect(at: 9) == 4)
  }
}
