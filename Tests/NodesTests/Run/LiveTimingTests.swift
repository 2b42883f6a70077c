import Testing

@testable import Nodes

/// When samples of a live stream are presented, without a stream.
@Suite(.inTurn) struct LiveTimingTests {
  private let second: Int64 = 1_000_000_000

  private func place(
    _ time: Double, _ now: Double, of index: Int = 0, isFrame: Bool = false,
    in timing: inout LiveTiming
  ) -> LiveTiming.Place {
    let sample = LiveTiming.Sample(time: nanoseconds(time), isFrame: isFrame)
    return timing.place(sample, of: index, now: nanoseconds(now))
  }

  /// Presents a sample of 0.1 s; returns where.
  private func present(
    _ time: Double, _ now: Double, of index: Int = 0, isFrame: Bool = false,
    in timing: inout LiveTiming
  ) throws -> Double {
    guard
      case .at(let start) = place(time, now, of: index, isFrame: isFrame, in: &timing)
    else { throw Dropped() }
    timing.present(
      nanoseconds(time), from: start, until: start + second / 10, of: index, now: nanoseconds(now))
    return Double(start) / 1e9
  }

  private func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }

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
    timing.fill(from: 2 * second, until: 5 * second, of: 0)
    #expect(try present(100.1, 5.4, in: &timing) == 5)
    #expect(abs(try present(100.2, 5.5, in: &timing) - 5.1) < 1e-6)
  }

  /// However often a sender starts anew, audio keeps its distance from the video.
  @Test func silenceMovesNoAudioAgainstVideo() throws {
    var timing = LiveTiming(.fill, trackCount: 2)
    for index in 0...1 { _ = try present(100, 2, of: index, isFrame: index == 1, in: &timing) }
    timing.fill(from: nanoseconds(2.1), until: nanoseconds(2.88), of: 0)
    // Silence goes up to the sample.
    #expect(timing.isGap(before: nanoseconds(2.9), of: 0, isFrame: false))
    #expect(abs(try present(100.9, 3, in: &timing) - 2.9) < 1e-6)
    timing.fill(from: nanoseconds(3), until: nanoseconds(3.53), of: 0)
    // It went too far: the video moves as well.
    #expect(try present(101.5, 3.6, in: &timing) == 3.53)
    #expect(abs(try present(101.5, 3.6, of: 1, isFrame: true, in: &timing) - 3.53) < 1e-6)
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
    let other = LiveTiming.Sample(time: 101 * second, isPacket: true, isFrame: true)
    #expect(timing.place(other, of: 1, now: 3 * second) == .at(3 * second))
  }

  /// Senders give the audio of a moment later than its video.
  @Test(arguments: [LiveStream.Gaps.keep, .fill, .close])
  func tracksBeginWhenTheLatestIsDue(_ gaps: LiveStream.Gaps) throws {
    var timing = LiveTiming(gaps, trackCount: 2)
    #expect(!timing.hasOrigin)
    timing.begin(with: [(nanoseconds(100), nanoseconds(2)), (nanoseconds(99.9), nanoseconds(2.4))])
    #expect(timing.hasOrigin)
    #expect(try present(99.9, 2.4, of: 1, in: &timing) == 2.4)
    #expect(abs(try present(100, 2.5, of: 0, isFrame: true, in: &timing) - 2.5) < 1e-6)
    timing.begin()
    #expect(!timing.hasOrigin)
  }

  @Test func framesThatAreFarApartHaveAGapBetweenThem() throws {
    var timing = LiveTiming(.fill, trackCount: 2)
    for index in 0...1 { _ = try present(100, 2, of: index, in: &timing) }
    let isGap = { timing.isGap(before: self.nanoseconds($0), of: 0, isFrame: $1) }
    #expect(isGap(2.2, false) && !isGap(2.13, false))
    #expect(isGap(2.5, true) && !isGap(2.2, true))
    // Frames of half a second each are half a second apart.
    timing.present(
      nanoseconds(101), from: nanoseconds(3), until: nanoseconds(3.5), of: 1, now: nanoseconds(3))
    #expect(!timing.isGap(before: nanoseconds(4), of: 1, isFrame: true))
    #expect(timing.isGap(before: nanoseconds(5), of: 1, isFrame: true))
    // A frame that takes the place of others is shown only as long as they were.
    timing.fill(from: nanoseconds(3.5), until: nanoseconds(3.54), of: 1)
    #expect(timing.isGap(before: nanoseconds(3.6), of: 1, isFrame: true))
    let keeping = LiveTiming(.keep, trackCount: 1)
    #expect(!keeping.isGap(before: nanoseconds(9), of: 0, isFrame: false))
  }

  /// What a sender held up, and then left out, makes nothing later than it was.
  @Test func aGapOfAllTracksMakesUpForWhatCameLate() throws {
    var timing = LiveTiming(.fill, trackCount: 2)
    for index in 0...1 {
      _ = try present(100, 2, of: index, in: &timing)
      timing.fill(from: nanoseconds(2.1), until: nanoseconds(5), of: index)
    }
    for index in 0...1 { #expect(try present(100.1, 5.4, of: index, in: &timing) == 5) }
    let late = nanoseconds(103.5)
    // While one of the tracks goes on, nothing moves.
    timing.catchUp(with: [late, nanoseconds(100.2)], now: nanoseconds(5.5))
    #expect(place(103.5, 5.5, in: &timing) == .at(nanoseconds(8.4)))
    timing.catchUp(with: [late, late], now: nanoseconds(5.5))
    #expect(place(103.5, 5.5, in: &timing) == .at(nanoseconds(5.5)))
    timing.catchUp(with: [nanoseconds(200), nil], now: nanoseconds(5.5))
    #expect(place(104, 5.5, of: 1, in: &timing) == .at(nanoseconds(6)))
  }

  @Test func audioFollowsWithoutGapsThatNobodyHears() throws {
    var timing = LiveTiming(.fill, trackCount: 2)
    for (index, isFrame) in [false, true].enumerated() {
      _ = try present(100, 2, of: index, isFrame: isFrame, in: &timing)
    }
    #expect(try present(100.11, 2.2, in: &timing) == 2.1)
    #expect(try present(100.11, 2.2, of: 1, isFrame: true, in: &timing) == 2.11)
  }

  @Test func aFrameThatComesLateDoesNotCrowdTheOneShownInItsPlace() throws {
    var timing = LiveTiming(.fill, trackCount: 1)
    _ = try present(100, 2, isFrame: true, in: &timing)
    timing.fill(from: nanoseconds(2.1), until: nanoseconds(2.14), of: 0)
    #expect(try present(100.11, 2.7, isFrame: true, in: &timing) == 2.14)
    #expect(abs(try present(100.21, 2.8, isFrame: true, in: &timing) - 2.24) < 1e-6)
  }

  /// The sender's clock goes back or ahead; both tracks go on together, whichever comes to it first.
  @Test(arguments: [(1.0, 0), (1, 1), (4000, 0), (4000, 1)])
  func aClockThatIsSetBeginsAnew(_ time: Double, _ first: Int) throws {
    var timing = LiveTiming(.keep, trackCount: 2)
    for index in 0...1 { _ = try present(100, 2, of: index, in: &timing) }
    #expect(try present(time, 2.2, of: first, in: &timing) == 2.2)
    // What the other sent before it is still of the old clock.
    #expect(try present(100.1, 2.2, of: 1 - first, in: &timing) == 2.1)
    #expect(abs(try present(time + 0.1, 2.4, of: 1 - first, in: &timing) - 2.3) < 1e-6)
    #expect(abs(try present(time + 0.1, 2.4, of: first, in: &timing) - 2.3) < 1e-6)
  }

  @Test(arguments: [5_000.0, 1]) func tracksMayHaveClocksOfTheirOwn(_ time: Double) throws {
    var timing = LiveTiming(.keep, trackCount: 2)
    _ = try present(100, 200, in: &timing)
    #expect(try present(time, 200.2, of: 1, in: &timing) == 200.2)
    #expect(abs(try present(100.1, 200.2, in: &timing) - 200.1) < 1e-6)
  }

  @Test func aPauseOfTheSenderIsNoClockThatIsSet() throws {
    var timing = LiveTiming(.keep, trackCount: 1)
    _ = try present(100, 2, in: &timing)
    #expect(abs(try present(120, 22.5, in: &timing) - 22) < 1e-6)
    // A connection that was held up sends all of it afterwards.
    #expect(abs(try present(120.1, 60, in: &timing) - 22.1) < 1e-6)
  }

  @Test func waitsGrowUntilSomethingComes() {
    var connection = Reconnection(startTimeout: 10, reconnectTimeout: 60, now: 0)
    #expect(connection.nextOpening == 0 && connection.limit == 10)
    connection.refuse(at: 1)
    connection.refuse(at: 2)
    #expect(connection.nextOpening == 2.5 && connection.limit == 10)
    #expect(connection.connect(at: 3) == nil)
    connection.lose(since: 5, at: 6)
    #expect(connection.nextOpening == 6.25 && connection.limit == 66)
    #expect(connection.connect(at: 9) == 4)
    connection.lose(since: 10, at: 10)
    connection.skip(100)
    #expect(connection.limit == 170)
  }
}
