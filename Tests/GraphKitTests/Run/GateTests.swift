import TestTools
import Testing

@testable import GraphKit

/// The gates of a session as state machines: without threads, locks or GStreamer.
@Suite("The gates of a session", .inTurn)
struct GateTests {
  private static let second: Int64 = 1_000_000_000

  // MARK: The start

  private func gate(isLive: Bool = false, copies: Bool = false) -> SessionGate {
    SessionGate([.init(.starts), .init(.starts), .init(.waits(isLive: isLive), copies: copies)])
  }

  private func sample(endingAt end: Int64?) -> SessionGate.Next {
    .sample(end: end.map { $0 * 10 }, duration: 10)
  }

  /// What becomes of samples that end at some times, one after another.
  private func verdicts(_ gate: inout SessionGate, _ ends: [Int64?]) -> [SessionGate.Verdict] {
    ends.map { gate.verdict(on: 2, sample(endingAt: $0)) }
  }

  @Test func audioWaitsForTheFirstFrameOfAnyTrackAndLosesWhatEndsBefore() {
    var gate = gate()
    #expect(gate.verdict(on: 2, sample(endingAt: 1)) == .wait)
    #expect(gate.holds(sample(endingAt: 1), on: 2) && !gate.holds(.event, on: 2))
    gate.begin(1, at: 35)
    gate.begin(0, at: 25)
    #expect(gate.start == 25)
    #expect(verdicts(&gate, [1, 2, 3, 1]) == [.drop, .drop, .take(lost: 20), .take(lost: 0)])
    #expect(!gate.holds(sample(endingAt: 1), on: 2))
  }

  @Test func eventsPassAndTheEndSaysWhatWasLost() {
    var gate = gate()
    #expect(gate.verdict(on: 2, .event) == .take(lost: 0))
    gate.begin(0, at: 100)
    #expect(verdicts(&gate, [1, 2]) == [.drop, .drop])
    #expect(gate.verdict(on: 2, .event) == .take(lost: 0))
    // What comes after an event is still before the session.
    #expect(verdicts(&gate, [3]) == [.drop])
    // Once, however early its last sample came.
    gate.finish(2)
    #expect(gate.verdict(on: 2, .event) == .take(lost: 0))
    #expect(verdicts(&gate, [4]) == [.drop])
    #expect(gate.verdict(on: 2, .end) == .take(lost: 40))
    #expect(gate.verdict(on: 2, .end) == .take(lost: 0))
  }

  @Test func audioOfFilesWaitsAndLosesNothing() {
    var gate = SessionGate([.init(.starts), .init(.starts), .init(.waitsWhole)])
    #expect(verdicts(&gate, [1]) == [.wait])
    gate.begin(0, at: 100)
    #expect(verdicts(&gate, [1, 2, 11]) == [.take(lost: 0), .take(lost: 0), .take(lost: 0)])
    #expect(!gate.holds(sample(endingAt: 3), on: 2))
  }

  @Test func audioGoesOnWhereNoFrameComes() {
    var gate = gate()
    gate.finish(0)
    #expect(verdicts(&gate, [1]) == [.wait])
    gate.finish(1)
    #expect(verdicts(&gate, [1, 2]) == [.take(lost: 0), .take(lost: 0)])
  }

  @Test func aSampleWithoutATimeBelongsToTheSession() {
    var gate = gate()
    gate.begin(0, at: 100)
    #expect(verdicts(&gate, [nil, 1]) == [.take(lost: 0), .take(lost: 0)])
  }

  @Test func videoNeverWaits() {
    var gate = gate()
    #expect(gate.verdict(on: 0, sample(endingAt: 1)) == .take(lost: 0))
    #expect(!gate.holds(sample(endingAt: 1), on: 0))
    #expect(gate.isStarter(0) && !gate.isStarter(2))
  }

  @Test func aCopyKeepsThePacketBeforeTheFirstThatIsHeard() {
    var gate = gate(copies: true)
    gate.begin(0, at: 35)
    #expect(verdicts(&gate, [1, 2, 3]) == [.drop, .drop, .take(lost: 20)])
    // Where the video begins at once, all that is there to be decoded before comes along.
    var whole = self.gate(copies: true)
    whole.begin(0, at: 0)
    #expect(verdicts(&whole, [-5]) == [.take(lost: 0)])
  }

  @Test func liveAudioGivesUpItsOldestAndSaysNothingOfIt() {
    var gate = gate(isLive: true)
    #expect(gate.givesUpOldest(on: 2) && !gate.givesUpOldest(on: 0))
    gate.begin(0, at: 25)
    #expect(!gate.givesUpOldest(on: 2))
    #expect(verdicts(&gate, [1, 3]) == [.drop, .take(lost: 0)])
    #expect(!self.gate().givesUpOldest(on: 2))
  }

  // MARK: The limit

  @Test func theLimitCountsFromTheEarliestFrame() {
    var clock = LimitClock(Self.second)
    clock.add(starter: "video")
    clock.begin(at: 500_000_000)
    clock.begin(at: 300_000_000)
    #expect(!clock.isReached(by: 1_299_998_999))
    #expect(clock.isReached(by: 1_299_999_000))
  }

  @Test func audioWaitsOnlyWhereItCouldBeBeyond() {
    var clock = LimitClock(Self.second)
    clock.add(starter: "video")
    clock.note(0)
    #expect(!clock.isOpen(900_000_000) && clock.isOpen(Self.second))
    var (stopping, begun, alone) = (clock, clock, clock)
    stopping.isReleased = true
    begun.begin(at: 0)
    alone.end(starter: "video")
    for clock in [stopping, begun, alone] { #expect(!clock.isOpen(Self.second)) }
    #expect(!stopping.isReached(by: Self.second))
    #expect(begun.isReached(by: Self.second) && alone.isReached(by: Self.second))
  }

  @Test func noTimeIsTooLargeForALimit() {
    var clock = LimitClock(.max)
    #expect(clock.isOpen(.max))
    clock.begin(at: .max)
    #expect(!clock.isReached(by: .min) && !clock.isReached(by: .max))
  }

  @Test func framesInAnotherOrderAreCutInThatOfDecoding() {
    let limit = SessionLimit(MediaTime(value: 1, timescale: 1))
    var gate = LimitGate([.init(limit: limit, role: .init(starts: true))], wire: "video")
    let times: [(Int64, Int64)] = [(200, 0), (500, 100), (300, 200)]
    let runningTimes = times.map { presentation, decode in
      let time = gate.runningTime(presentation: presentation, decode: decode, origin: 50)
      _ = gate.begin(at: decode - 50)
      return time
    }
    #expect(runningTimes == [150, 250, 350])
    #expect(gate.runningTime(presentation: 7, decode: nil, origin: 5) == 2)
    #expect(gate.runningTime(presentation: nil, decode: nil, origin: 5) == nil)
    // The first is presented at 150 ns.
    #expect(gate.isReached(by: Self.second + 150) && !gate.isReached(by: nil))
    #expect(!gate.isReached(by: Self.second + 149 - 1_000))
  }

  @Test func aCopyCountsFromTheFirstSampleThatIsPresented() {
    let limit = SessionLimit(MediaTime(value: 1, timescale: 1))
    var gate = LimitGate(
      [.init(limit: limit, role: .init(starts: true))], wire: "audio",
      shift: .init(lead: 2 * Self.second))
    _ = gate.begin(at: 0)
    #expect(!gate.isReached(by: 2 * Self.second) && gate.isReached(by: 3 * Self.second))
  }

  // MARK: The opening

  @Test(arguments: [8_000, 44_100, 48_000, 192_000])
  func silenceEndsWhereTheAudioBegins(rate: Int) {
    let first = 1_234_567_890 as Int64
    let blocks = SilentBlock.blocks(from: 1_000, to: first, sampleRate: rate)
    let frames = blocks.reduce(0) { $0 + $1.frames }
    #expect(abs(Double(frames) / Double(rate) - Double(first - 1_000) / 1e9) <= 0.5 / Double(rate))
    var left = frames
    for block in blocks {
      let length = Double(left) * 1e9 / Double(rate)
      #expect(abs(Double(first - block.time) - length) <= 1)
      left -= block.frames
    }
    #expect(left == 0 && blocks.allSatisfy { $0.frames <= rate / 50 })
  }

  @Test func aTrackThatBeginsMuchLaterHasNoSilence() {
    let blocks = { SilentBlock.blocks(from: 0, to: $0, sampleRate: 100) }
    #expect(blocks(5 * Self.second).count == 250 && blocks(5 * Self.second + 1).isEmpty)
    #expect(blocks(0).isEmpty && blocks(-1).isEmpty && blocks(.max).isEmpty)
    #expect(SilentBlock.blocks(from: 0, to: Self.second, sampleRate: 0).isEmpty)
  }
}
