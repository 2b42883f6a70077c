import TestTools
import Testing

@testable import GraphKit

@Suite("When an input is ready for more media data", .inTurn)
struct ReadinessTests {
  private static let second: Int64 = 1_000_000_000

  private func policy(
    seconds: Double = 2, bytes: Int = 1 << 20, samples: Int = 100, window: Double = 1
  ) -> QueuePolicy {
    QueuePolicy(
      time: MediaTime(seconds: seconds, preferredTimescale: 1000), bytes: bytes, samples: samples,
      interleavingWindow: MediaTime(seconds: window, preferredTimescale: 1000))
  }

  /// Appends samples of half a second and ten bytes to an input, from a time on.
  private func fill(
    _ readiness: inout Readiness, _ index: Int, halves: Int, from start: Double = 0
  ) {
    for number in 0..<halves {
      readiness.append(
        index, time: Int64(start * 1e9) + Int64(number) * Self.second / 2,
        duration: Self.second / 2, bytes: 10)
    }
  }

  @Test("a fresh input is ready")
  func fresh() {
    let readiness = Readiness([policy(), policy()])
    #expect(readiness.cause(of: 0) == nil)
    #expect(readiness.cause(of: 1) == nil)
  }

  @Test(
    "each bound is one of its own",
    arguments: [
      (2.0, 1 << 20, 100, 4, Readiness.Cause.fullOfTime),
      (9, 30, 100, 3, .fullOfBytes),
      (9, 1 << 20, 3, 3, .fullOfSamples),
    ])
  func bounds(
    seconds: Double, bytes: Int, samples: Int, halves: Int, cause: Readiness.Cause
  ) {
    var readiness = Readiness([policy(seconds: seconds, bytes: bytes, samples: samples)])
    fill(&readiness, 0, halves: halves - 1)
    #expect(readiness.cause(of: 0) == nil)
    fill(&readiness, 0, halves: 1, from: Double(halves - 1) / 2)
    #expect(readiness.cause(of: 0) == cause)
    readiness.take(0, time: 0, duration: Self.second / 2, bytes: 10)
    #expect(readiness.cause(of: 0) == nil)
  }

  @Test("an input may be less than the window ahead of the slowest other one")
  func window() {
    var readiness = Readiness([policy(), policy(), policy()])
    fill(&readiness, 1, halves: 1)
    fill(&readiness, 2, halves: 2)
    fill(&readiness, 0, halves: 2)
    #expect(readiness.cause(of: 0) == nil)
    fill(&readiness, 0, halves: 1, from: 1)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    fill(&readiness, 1, halves: 2, from: 0.5)
    #expect(readiness.cause(of: 0) == nil)
  }

  @Test("an input that has had nothing counts as being where the other began")
  func noSample() {
    var readiness = Readiness([policy(), policy()])
    fill(&readiness, 0, halves: 1, from: 3600)
    #expect(readiness.cause(of: 0) == nil)
    fill(&readiness, 0, halves: 1, from: 3600.5)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    #expect(readiness.cause(of: 1) == nil)
  }

  @Test("while another may be given up that has had nothing, an input holds what comes until then")
  func awaited() {
    var awaited = policy()
    awaited.firstSampleTimeout = MediaTime(value: 5, timescale: 1)
    var live = policy(samples: 3)
    live.holdsForOthers = true
    var readiness = Readiness([live, awaited])
    fill(&readiness, 0, halves: 11)
    #expect(readiness.cause(of: 0) == nil)
    fill(&readiness, 0, halves: 1, from: 5.5)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    // What has come once is waited for as ever.
    fill(&readiness, 1, halves: 1)
    #expect(readiness.cause(of: 0) == .fullOfSamples)
    (live.bytes, live.samples) = (30, 100)
    var full = Readiness([live, awaited])
    fill(&full, 0, halves: 3)
    #expect(full.cause(of: 0) == .fullOfBytes)
    // What can wait does.
    var patient = Readiness([policy(samples: 3), awaited])
    fill(&patient, 0, halves: 2)
    #expect(patient.cause(of: 0) == .aheadOf(input: 1))
  }

  @Test("taking samples out doesn't undo being ahead: the window is of what came")
  func takenStillAhead() {
    var readiness = Readiness([policy(), policy()])
    fill(&readiness, 0, halves: 2)
    for number in 0..<2 {
      readiness.take(
        0, time: Int64(number) * Self.second / 2, duration: Self.second / 2, bytes: 10)
    }
    #expect(readiness.inputs[0].samples == 0)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
  }

  @Test("an input that holds nothing is ready while the slower one is full: the sink waits for it")
  func emptyBesideFull() {
    var readiness = Readiness([policy(), policy(seconds: 1)])
    fill(&readiness, 0, halves: 1)
    fill(&readiness, 1, halves: 1)
    readiness.take(0, time: 0, duration: Self.second / 2, bytes: 10)
    // A pause on the first input: its next sample is far ahead, and the sink takes that, too.
    fill(&readiness, 0, halves: 1, from: 5)
    readiness.take(0, time: 5 * Self.second, duration: Self.second / 2, bytes: 10)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    // The sink can't tell how long that one lasts before the next has come, and takes nothing of
    // the other meanwhile.
    fill(&readiness, 1, halves: 1, from: 0.5)
    #expect(readiness.cause(of: 1) == .fullOfTime)
    #expect(readiness.cause(of: 0) == nil)
    fill(&readiness, 0, halves: 1, from: 5.5)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
  }

  @Test("nobody waits for an input that has finished")
  func finished() {
    var readiness = Readiness([policy(), policy()])
    fill(&readiness, 1, halves: 1)
    fill(&readiness, 0, halves: 3)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    readiness.finish(1)
    #expect(readiness.cause(of: 0) == nil)
  }

  @Test("before its turn an input holds two samples, and no input waits for one of another turn")
  func turns() {
    var readiness = Readiness([policy(), policy(), policy()], turns: [1, 1, 2])
    fill(&readiness, 2, halves: 1)
    #expect(readiness.cause(of: 2) == nil)
    fill(&readiness, 2, halves: 1, from: 0.5)
    #expect(readiness.cause(of: 2) == .beforeTurn)
    readiness.finish(1)
    readiness.end(1)
    fill(&readiness, 0, halves: 3)
    #expect(readiness.cause(of: 0) == nil && readiness.turn == 1)
    readiness.end(0)
    #expect(readiness.cause(of: 2) == nil && readiness.turn == 2)
  }

  @Test("an input beside one that is ready can have twice as much room, up to a limit")
  func room() {
    var readiness = Readiness([policy(bytes: 60), policy()])
    fill(&readiness, 0, halves: 2)
    #expect(readiness.cause(of: 0) == .aheadOf(input: 1))
    let isWider = readiness.widen(0, limit: 100)
    #expect(isWider && readiness.cause(of: 0) == nil)
    #expect(readiness.inputs[0].policy.time.seconds == 4)
    fill(&readiness, 0, halves: 8, from: 1)
    #expect(readiness.cause(of: 0) == .fullOfBytes && readiness.inputs[0].policy.bytes == 100)
    // It holds as many bytes as it may.
    let isWiderStill = readiness.widen(0, limit: 100)
    #expect(!isWiderStill)
  }

  @Test("an input has no more room where that is of no use")
  func noRoom() {
    var readiness = Readiness([policy(window: 9), policy(window: 9), policy()], turns: [1, 1, 2])
    fill(&readiness, 2, halves: 2)
    #expect(readiness.cause(of: 2) == .beforeTurn)
    var areWider = [readiness.widen(2, limit: 1 << 20), readiness.widen(0, limit: 1 << 20)]
    // Both are full, and then one alone.
    for index in 0..<2 { fill(&readiness, index, halves: 4) }
    areWider.append(readiness.widen(0, limit: 1 << 20))
    readiness.finish(1)
    #expect(readiness.cause(of: 0) == .fullOfTime)
    areWider.append(readiness.widen(0, limit: 1 << 20))
    #expect(areWider == [false, false, false, false])
  }

  @Test("a pause in the stream doesn't fill the queue")
  func gap() {
    var readiness = Readiness([policy()])
    fill(&readiness, 0, halves: 1)
    readiness.take(0, time: 0, duration: Self.second / 2, bytes: 10)
    fill(&readiness, 0, halves: 1, from: 100)
    #expect(readiness.inputs[0].time == Self.second / 2)
    #expect(readiness.cause(of: 0) == nil)
  }

  @Test("samples without a time, and those that come out of order, are held all the same")
  func oddTimes() {
    var readiness = Readiness([policy(samples: 3)])
    readiness.append(0, time: nil, duration: Self.second / 4, bytes: 1)
    readiness.append(0, time: nil, duration: Self.second / 4, bytes: 1)
    #expect(readiness.inputs[0].time == Self.second / 2)
    readiness.append(0, time: 0, duration: -5, bytes: 1)
    #expect(readiness.inputs[0].last == Self.second / 2)
    #expect(readiness.cause(of: 0) == .fullOfSamples)
    for _ in 0..<3 { readiness.take(0, time: nil, duration: Self.second / 4, bytes: 1) }
    #expect(readiness.inputs[0].samples == 0 && readiness.inputs[0].bytes == 0)
    #expect(readiness.inputs[0].time == 0)
  }
}
