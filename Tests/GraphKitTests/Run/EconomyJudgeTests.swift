import TestTools
import Testing

@testable import GraphKit

@Suite("When a live graph gives up quality", .inTurn) struct EconomyJudgeTests {
  /// What happened in a made-up run, with the times.
  struct Course {
    var moves: [(time: Double, isTaken: Bool)] = []
    var causes: [String] = []
    var dropped = 0.0
    var taken = 0

    var times: [Double] { moves.map { ($0.time * 10).rounded() / 10 } }
  }

  /// A queue of a second before a graph that does so many seconds of media a second, which depends on the
  /// time and on how many steps are taken.
  func course(
    of seconds: Double, steps: Int = 3, speed: (_ time: Double, _ taken: Int) -> Double
  ) -> Course {
    var judge = EconomyJudge(steps: steps)
    var (course, level) = (Course(), 0.0)
    for tick in 0..<Int(seconds * 20) {
      let time = Double(tick) / 20
      level += (1 - speed(time, judge.taken)) / 20
      course.dropped += max(0, level - 1)
      level = min(1, max(0, level))
      let observation = WireObservation(
        time: time, level: level, wire: "camera.out -> look.in", dropped: Int(course.dropped * 30))
      switch judge.observe(observation) {
      case nil: continue
      case .take(let cause):
        course.moves.append((time, true))
        course.causes.append(cause)
      case .takeBack: course.moves.append((time, false))
      }
    }
    course.taken = judge.taken
    return course
  }

  @Test func notWhileItKeepsUp() {
    #expect(course(of: 600) { _, _ in 1.05 }.moves.isEmpty)
    // A wire that stays a little full is no reason.
    #expect(course(of: 600) { time, _ in time < 4 ? 0.9 : 1 }.moves.isEmpty)
  }

  @Test func beforeItLosesFrames() {
    let run = course(of: 7) { _, taken in taken == 0 ? 0.8 : 1.1 }
    // Half full after 2.5 s, and for half a second from then on.
    #expect(run.moves.map(\.isTaken) == [true] && run.times == [3.0] && run.dropped == 0)
    #expect(run.causes == ["camera.out -> look.in was 61 % full"])
  }

  @Test func stepByStepAsLongAsThatIsNotEnough() {
    let run = course(of: 9) { _, taken in 0.8 + 0.15 * Double(taken) }
    #expect(run.moves.map(\.isTaken) == [true, true] && run.dropped == 0)
    #expect(run.times == [3.0, 4.0])
  }

  @Test func noFurtherThanThereAreSteps() {
    let run = course(of: 60, steps: 2) { _, _ in 0.5 }
    #expect(run.taken == 2 && run.moves.count == 2 && run.dropped > 10)
    #expect(course(of: 60, steps: 0) { _, _ in 0.5 }.moves.isEmpty)
  }

  /// Something held everything up for a moment, and the wire empties again.
  @Test(arguments: [0.45, 0.6])
  func notForASinglePause(seconds: Double) {
    let run = course(of: 60) { time, _ in (10..<10 + seconds).contains(time) ? 0 : 1.3 }
    #expect(run.moves.isEmpty && run.dropped == 0)
  }

  @Test func atOnceWhereFramesWereLost() {
    let run = course(of: 12) { time, _ in (10..<11.2).contains(time) ? 0 : 5 }
    #expect(run.times.first.map { $0 <= 11.5 } == true && run.dropped > 0)
    #expect(run.causes.first?.hasSuffix(" dropped") == true)
  }

  /// A load that comes and goes: all that was given up comes back, the last first.
  @Test func andGetsItBackWhereThereIsRoom() {
    let run = course(of: 60) { time, taken in
      (10..<20).contains(time) ? 0.7 + 0.15 * Double(taken) : 1.5
    }
    #expect(run.moves.map(\.isTaken) == [true, true, true, false, false, false])
    #expect(run.dropped == 0 && run.taken == 0)
    let back = run.times.suffix(3)
    #expect(zip(back, back.dropFirst()).allSatisfy { $1 - $0 >= 5 }, "\(run.times)")
  }

  /// The graph is just too slow without a step, for ten minutes.
  @Test func withoutGoingToAndFro() {
    let run = course(of: 600) { _, taken in taken == 0 ? 0.8 : 1.5 }
    let back = run.moves.filter { !$0.isTaken }.map(\.time)
    #expect(run.dropped == 0 && (5...12).contains(back.count), "\(run.times)")
    let gaps = zip(back, back.dropFirst()).map { $1 - $0 }
    // Each wait is twice as long as the one before, up to 80 s.
    #expect(zip(gaps, gaps.dropFirst()).prefix(3).allSatisfy { $1 > 1.4 * $0 }, "\(gaps)")
    #expect(gaps.last.map { (80...90).contains($0) } == true, "\(gaps)")
  }

  @Test func andForgetsTheLongWaitsAfterAQuietTime() {
    let run = course(of: 900) { time, taken in
      if (400..<600).contains(time) { return 1.5 }
      return taken == 0 ? 0.8 : 1.5
    }
    let after = run.moves.filter { $0.time > 600 }
    let first = after.prefix(2).map(\.time)
    #expect(first.count == 2 && first[1] - first[0] < 8, "\(run.times)")
  }
}
