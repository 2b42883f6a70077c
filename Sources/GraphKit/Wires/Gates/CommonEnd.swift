/// Where the tracks of a file end that is written offline, when the run is asked to end: together,
/// where the shortest of them does. A pure state machine over the inputs of one sink.
///
/// Producers are ahead of each other by what their queues hold. So a sample is handed on once all
/// other inputs have come as far: at any time the sink has nothing that another track won't reach.
/// Times are nanoseconds; those of frames that are presented in another order count in that of
/// decoding, from the first frame's presentation.
struct CommonEnd: Sendable {
  /// What becomes of what an input holds first.
  enum Verdict: Hashable, Sendable { case wait, drop, take }

  private struct Input {
    let takesPart: Bool
    /// How long after its decoding the first sample is presented.
    var delay: Int64 = 0
    /// Whether the input was still open when the run was asked to end, so that it may end the others.
    var endsOthers = false
  }

  private var inputs: [Input]

  /// The inputs of a sink, with whether they end together.
  init(_ takePart: [Bool]) { inputs = takePart.map { Input(takesPart: $0) } }

  /// Whether an input ends with others.
  func takesPart(_ index: Int) -> Bool { inputs[index].takesPart }

  /// The first sample has come on an input.
  mutating func begin(_ index: Int, presentation: UInt64?, decode: UInt64?) {
    guard let presentation, let decode else { return }
    inputs[index].delay = Int64(clamping: presentation).subtractingClamped(Int64(clamping: decode))
  }

  /// The run is to end: from now on, the first of the inputs to end that haven't is the end of all.
  mutating func ask(_ levels: Readiness) {
    for index in inputs.indices { inputs[index].endsOthers = !levels.inputs[index].isFinished }
  }

  /// What becomes of a sample that begins at a time of decoding, where an input holds it first.
  func verdict(on index: Int, at time: Int64, _ levels: Readiness) -> Verdict {
    let start = time.addingClamped(inputs[index].delay)
    var verdict = Verdict.take
    for other in inputs.indices where other != index && inputs[other].takesPart {
      let input = levels.inputs[other]
      // The time of a frame may have been rounded.
      let isBehind = input.last.addingClamped(inputs[other].delay) <= start.addingClamped(1000)
      guard isBehind || input.first == nil else { continue }
      if !input.isFinished {
        // Elements take nothing of one input before they have what comes on another.
        let isStuck = levels.inputs[index].reachedBound != nil || input.reachedBound != nil
        if !isStuck { verdict = .wait }
      } else if inputs[other].endsOthers, input.first != nil {
        return .drop
      }
    }
    return verdict
  }
}

extension WireGroup {
  /// Has inputs that end together do so with the first of them: the run is asked to end.
  func endTogether() { locked { state in state.commonEnd.ask(state.levels) } }

  /// Whether a wire's next item may leave before those of the others; drops what is after the common
  /// end. Inside the group's lock.
  func isBeforeCommonEnd(_ index: Int, _ state: inout State) -> Bool {
    guard wires[index].endsTogether else { return true }
    while true {
      switch endVerdict(on: index, state) {
      case .take: return true
      case .wait: return false
      case .drop: dropFirst(index, .afterSessionEnd, &state)
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
