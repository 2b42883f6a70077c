import GStreamer

/// Where the tracks of a file end that is written offline, when the run is asked to end: together,
/// where the shortest of them does. A pure state machine over the inputs of one sink.
///
/// Producers are ahead of each other by what their queues hold. So a sample is handed on once all
/// inputs have come as far: at any time the sink has nothing that another track won't reach. Where
/// frames are presented in another order than they are decoded, that is so far as they leave no gap
/// (``FrameBorders``). Times are nanoseconds; those of frames count in the order of decoding, from the
/// first frame's presentation.
struct CommonEnd: Sendable {
  /// What becomes of what an input holds first.
  enum Verdict: Hashable, Sendable {
    case wait, take
    /// It is after the end of all, which is known now.
    case drop(end: Int64)
  }

  private struct Input {
    let takesPart: Bool
    var borders = FrameBorders()
    /// Whether the input was still open when the run was asked to end, so that it may end the others.
    var endsOthers = false
  }

  private var inputs: [Input]
  /// Where all end, once something of one of them was left out for it.
  private var end: Int64?

  /// The inputs of a sink, with whether they end together.
  init(_ takePart: [Bool]) { inputs = takePart.map { Input(takesPart: $0) } }

  /// A sample has come on an input, of which the levels say what has left.
  mutating func note(
    _ index: Int, presentation: Int64?, decode: Int64?, duration: Int64, _ levels: Readiness
  ) {
    guard inputs[index].takesPart, let presentation, let decode else { return }
    inputs[index].borders.note(
      presentation: presentation, decode: decode, duration: duration,
      taken: levels.inputs[index].taken)
  }

  /// The run is to end: from now on, the first of the inputs to end that haven't is the end of all.
  mutating func ask(_ levels: Readiness) {
    for index in inputs.indices { inputs[index].endsOthers = !levels.inputs[index].isFinished }
  }

  /// What becomes of a sample that begins at a time of decoding, where an input holds it first.
  func verdict(on index: Int, at time: Int64, _ levels: Readiness) -> Verdict {
    let start = time.addingClamped(inputs[index].borders.delay + Self.rounding)
    if let end { return start < end ? .take : .drop(end: end) }
    let (open, ended) = progress(of: index, start, levels)
    let border = border(before: min(open, ended ?? .max), of: index, isCut: ended != nil, levels)
    if start < border { return .take }
    if let ended, open >= ended { return .drop(end: border) }
    // Elements take nothing of one input before they have what comes on another.
    let isStuck = inputs.indices.contains { input in
      levels.inputs[input].reachedBound != nil
        && (input == index || isBehind(input, at: start, border, levels))
    }
    return isStuck ? .take : .wait
  }

  /// Something was dropped for a common end: it stays where it is.
  mutating func settle(on end: Int64) { self.end = end }

  /// How far the inputs have come that go on, where one's sample begins at a time, and where those ended
  /// that did because the run was asked to.
  private func progress(
    of index: Int, _ start: Int64, _ levels: Readiness
  ) -> (open: Int64, ended: Int64?) {
    var (open, ended) = (Int64.max, Int64?.none)
    for (number, input) in inputs.enumerated() where input.takesPart {
      let level = levels.inputs[number]
      if !level.isFinished {
        // A sample without a length has come, too.
        open = min(open, max(reach(of: number, levels), number == index ? start + 1 : .min))
      } else if input.endsOthers, level.first != nil {
        ended = min(ended ?? .max, level.last.addingClamped(input.borders.delay))
      }
    }
    return (open, ended)
  }

  /// Whether others end where an input can: one that has ended by itself binds none.
  private func binds(_ input: Int, _ levels: Readiness) -> Bool {
    inputs[input].takesPart && (inputs[input].endsOthers || !levels.inputs[input].isFinished)
  }

  /// Whether a sample waits for an input to come further: to where it begins, or to the next time at
  /// which all can end.
  private func isBehind(
    _ input: Int, at start: Int64, _ border: Int64, _ levels: Readiness
  ) -> Bool {
    guard inputs[input].takesPart, !levels.inputs[input].isFinished else { return false }
    let next = inputs.indices.lazy.filter { binds($0, levels) }
      .compactMap { inputs[$0].borders.first(after: border) }.min()
    return reach(of: input, levels) <= max(start, next ?? start)
  }

  /// By so much times of frames may have been rounded.
  private static let rounding: Int64 = 1000

  /// How far an input has come without a gap.
  private func reach(of index: Int, _ levels: Readiness) -> Int64 {
    guard levels.inputs[index].first != nil else { return .min }
    let borders = inputs[index].borders
    return borders.reach ?? levels.inputs[index].last.addingClamped(borders.delay)
  }

  /// The last time up to another at which all tracks can end. What ended by itself has all its samples
  /// in the file, unless another ends before it.
  private func border(
    before time: Int64, of index: Int, isCut: Bool, _ levels: Readiness
  ) -> Int64 {
    guard time < .max else { return time }
    var border = time
    for (number, input) in inputs.enumerated() {
      let level = levels.inputs[number]
      let isCutHere =
        number == index && isCut && border < level.last.addingClamped(input.borders.delay)
      guard binds(number, levels) || isCutHere else { continue }
      border = input.borders.last(upTo: border, taken: level.taken)
    }
    return border
  }
}

extension WireGroup {
  /// Has inputs that end together do so with the first of them: the run is asked to end.
  func endTogether() { locked { state in state.commonEnd.ask(state.levels) } }

  /// A buffer comes on a wire. Inside the group's lock.
  func noteForCommonEnd(_ buffer: borrowing Buffer, on index: Int, _ state: inout State) {
    guard wires[index].endsTogether else { return }
    let origin = state.queues[index].originIn
    func time(_ clock: UInt64?) -> Int64? {
      clock.map { Int64(clamping: $0).subtractingClamped(origin) }
    }
    state.commonEnd.note(
      index, presentation: time(buffer.presentationTime), decode: time(buffer.decodeTime),
      duration: Int64(clamping: buffer.duration ?? 0), state.levels)
  }

  /// Whether a wire's next item may leave before those of the others; drops what is after the common
  /// end. Inside the group's lock.
  func isBeforeCommonEnd(_ index: Int, _ state: inout State) -> Bool {
    guard wires[index].endsTogether else { return true }
    while true {
      switch endVerdict(on: index, state) {
      case .take: return true
      case .wait: return false
      case .drop(let end):
        state.commonEnd.settle(on: end)
        dropFirst(index, .afterSessionEnd, &state)
      }
    }
  }

  /// What becomes of a wire's next item by the ends of the others.
  func endVerdict(on index: Int, _ state: State) -> CommonEnd.Verdict {
    let queue = state.queues[index]
    guard wires[index].endsTogether, let time = queue.store.items.firstDecodeTime else {
      return .take
    }
    return state.commonEnd.verdict(
      on: index, at: Int64(clamping: time).subtractingClamped(queue.originOut), state.levels)
  }

  /// Has the wires look again that wait for another to come as far.
  func wakeForCommonEnd(_ index: Int, _ state: inout State) {
    guard wires[index].endsTogether else { return }
    for other in wires.indices where other != index && state.queues[other].isConsumerWaiting {
      let isWorthIt = state.levels.inputs[index].isFinished || isWorthTaking(other, state)
      if isWorthIt, !state.queues[other].store.items.isEmpty,
        endVerdict(on: other, state) != .wait
      {
        wakeConsumer(other, &state)
      }
    }
  }
}
