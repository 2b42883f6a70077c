import GraphKit

/// Leaves out the frames of video that ``SilenceCutter`` takes out, once it is known which.
struct FrameCutter: Sendable {
  private let grid: (steps: Int, scale: Int)
  /// Whether frames have times of their own, and none is to be left out that is still shown after a
  /// cut.
  private let isVariable: Bool
  private var frames: [HeldFrame] = []
  /// How many cuts are over, and how many steps they took out.
  private var passed = 0
  private var passedSteps = 0
  /// The last frame that was left out.
  private var hidden: HeldFrame?

  /// A cutter of frames on a grid of `steps` in `scale` seconds.
  init(grid: (steps: Int, scale: Int), isVariable: Bool) {
    (self.grid, self.isVariable) = (grid, isVariable)
  }

  /// Takes a frame after the others.
  mutating func add(_ frame: HeldFrame) { frames.append(frame) }

  /// The frames that are decided, with the times that they have now.
  mutating func take(decidedBy cutter: SilenceCutter) -> [HeldFrame] {
    var result: [HeldFrame] = []
    let decided = cutter.decided
    var taken = 0
    for frame in frames {
      let step = step(of: frame.time)
      guard step < decided else { break }
      taken += 1
      pass(cutter.cuts, before: step)
      if let cut = cutter.cuts[passed...].first, step >= cut.first {
        hidden = frame
        continue
      }
      if let first = reappearing(before: frame, cutter.cuts) { result.append(first) }
      hidden = nil
      result.append(moved(frame, to: frame.time - shift))
    }
    frames.removeFirst(taken)
    return result
  }

  private func step(of time: MediaTime) -> Int {
    let steps = time.seconds * Double(grid.steps) / Double(grid.scale)
    guard steps.isFinite else { return 0 }
    return Int(max(0, min(steps, 1e15)).rounded())
  }

  private mutating func pass(_ cuts: [SilenceCutter.Cut], before step: Int) {
    while passed < cuts.count, cuts[passed].first + cuts[passed].count <= step {
      passedSteps += cuts[passed].count
      passed += 1
    }
  }

  private var shift: MediaTime { time(ofSteps: passedSteps) }

  private func time(ofSteps steps: Int) -> MediaTime {
    MediaTime.frames(steps, at: Rational(grid.steps, over: grid.scale))
  }

  /// What was left out and is still shown when a cut is over, before the next frame.
  private func reappearing(before next: HeldFrame, _ cuts: [SilenceCutter.Cut]) -> HeldFrame? {
    guard isVariable, let hidden, passed > 0 else { return nil }
    let cut = cuts[passed - 1]
    let start = time(ofSteps: cut.first + cut.count)
    guard hidden.end > start || hidden.end == hidden.time, next.time > start else { return nil }
    return moved(hidden, to: start - shift, lasting: next.time - start)
  }

  private func moved(
    _ frame: HeldFrame, to time: MediaTime, lasting duration: MediaTime? = nil
  ) -> HeldFrame {
    var sample = frame.sample.share()
    sample.presentationTime = time
    sample.decodeTime = .invalid
    if let duration { sample.duration = duration }
    return HeldFrame(sample)
  }
}
