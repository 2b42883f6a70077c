/// When an input may take more media data: the rule of `isReadyForMoreMediaData`, as a pure state
/// machine over the inputs of one sink.
///
/// An input is ready while it holds less than its capacity, and while it is less than the
/// interleaving window ahead of the slowest other input that hasn't finished. Being ahead doesn't
/// count where it holds nothing and the slowest one is full: the sink takes nothing of that one
/// before it has seen what comes here, however far ahead a pause has put it. Of live sources, both bounds
/// of time are greater while another input has had nothing yet, by how long that is waited for. Times are nanoseconds of the media. No locks, no threads: ``WireGroup`` has those.
///
/// Inputs may have turns: one whose turn hasn't come holds just enough to go on at once, and only
/// those of the same turn wait for each other.
struct Readiness: Sendable {
  /// Why an input isn't ready.
  enum Cause: Hashable, Sendable {
    case fullOfTime, fullOfBytes, fullOfSamples
    /// The input has run ahead of another input of the same sink.
    case aheadOf(input: Int)
    /// The inputs that come before it haven't ended.
    case beforeTurn
  }

  /// What is known of one input.
  struct Input: Sendable {
    var policy: QueuePolicy
    private(set) var capacityTime: Int64
    private(set) var window: Int64
    /// What the queue holds.
    var samples = 0
    var bytes = 0
    /// Where the first sample that ever came starts; `nil` before it.
    var first: Int64?
    /// How far the input has come: the greatest end of a sample.
    var last: Int64 = 0
    /// Where what has left the queue ends.
    var taken: Int64 = 0
    /// No more samples come, or the sink goes on without them.
    var isFinished = false
    /// Inputs of a lower turn come first.
    var turn = 0
    /// Its end has been taken, or nothing more of it is.
    var isOver = false

    /// Whether the queue holds at most some quarters of what it can.
    func isBelow(quarters: Int) -> Bool {
      time <= capacityTime / 4 * Int64(quarters) && bytes <= policy.bytes / 4 * quarters
        && samples <= policy.samples / 4 * quarters
    }

    init(_ policy: QueuePolicy) {
      self.policy = policy
      capacityTime = policy.time.nanosecondsClamped
      window = policy.interleavingWindow.nanosecondsClamped
    }

    /// Which of its bounds the queue has reached; `nil` where there is room.
    var reachedBound: Cause? {
      if samples >= policy.samples { return .fullOfSamples }
      if bytes >= policy.bytes { return .fullOfBytes }
      return time >= capacityTime ? .fullOfTime : nil
    }

    /// How much longer than usual it holds what it has, in media time, where nothing has come yet of
    /// another and the sink may go on without that.
    func patience(with other: Input) -> Int64 {
      guard policy.holdsForOthers, other.first == nil, !other.isFinished else { return 0 }
      return other.policy.firstSampleTimeout?.nanosecondsClamped ?? 0
    }

    /// Has the input hold, and run ahead, twice as much, up to so many bytes; `false` at the end of numbers.
    fileprivate mutating func widen(limit: Int) -> Bool {
      guard capacityTime < .max / 4, policy.samples < .max / 4 else { return false }
      policy.bytes = max(policy.bytes, min(policy.bytes * 2, limit))
      policy.samples *= 2
      (capacityTime, window) = (capacityTime * 2, min(window, .max / 4) * 2)
      policy.time = MediaTime(nanoseconds: capacityTime)
      return true
    }

    /// Media time that the queue holds.
    var time: Int64 { samples == 0 ? 0 : max(0, last - taken) }
  }

  private(set) var inputs: [Input]

  /// The turn that it is; that of all inputs where none has another.
  private(set) var turn = 0

  init(_ policies: [QueuePolicy], turns: [Int] = []) {
    inputs = policies.map(Input.init)
    for (index, turn) in zip(inputs.indices, turns) { inputs[index].turn = turn }
    turn = turns.min() ?? 0
  }

  /// What an input holds before its turn: a sample for the node, and one on its way.
  private static let samplesBeforeTurn = 2

  /// Why an input isn't ready; `nil` where it is.
  func cause(of index: Int) -> Cause? {
    let input = inputs[index]
    if let bound = input.reachedBound, !holdsForOthers(index) { return bound }
    if input.turn > turn { return input.samples < Self.samplesBeforeTurn ? nil : .beforeTurn }
    guard let slower = slowerInput(than: index) else { return nil }
    if input.samples == 0, inputs[slower].reachedBound != nil { return nil }
    return .aheadOf(input: slower)
  }

  /// Whether an input holds more than its time because another has had nothing yet, which the sink goes on
  /// without after a while: what came until then would else be lost where its source can't wait.
  private func holdsForOthers(_ index: Int) -> Bool {
    let input = inputs[index]
    guard input.policy.holdsForOthers else { return false }
    let others = inputs.indices.lazy.filter { $0 != index }
    guard let patience = others.map({ input.patience(with: inputs[$0]) }).max(), patience > 0 else {
      return false
    }
    return input.bytes < input.policy.bytes && input.time < input.capacityTime + patience
  }

  /// The slowest other unfinished input, where this one has run out of the window before it.
  private func slowerInput(than index: Int) -> Int? {
    let input = inputs[index]
    guard inputs.count > 1, let first = input.first else { return nil }
    var slowest: (index: Int, last: Int64)?
    for (other, state) in inputs.enumerated()
    where other != index && !state.isFinished && state.turn == input.turn {
      // An input that has had nothing yet counts as being where this one began.
      let last = state.first == nil ? first : state.last
      if slowest.map({ last < $0.last }) ?? true { slowest = (other, last) }
    }
    guard let slowest,
      input.last - slowest.last >= input.window + input.patience(with: inputs[slowest.index])
    else { return nil }
    return slowest.index
  }

  /// A sample came and is held now. A sample without a time is placed where the last one ended.
  mutating func append(_ index: Int, time: Int64?, duration: Int64, bytes: Int) {
    let start = time ?? inputs[index].last
    if inputs[index].first == nil {
      inputs[index].first = start
      inputs[index].taken = start
      inputs[index].last = start
    } else if inputs[index].samples == 0 {
      // The queue has run dry: what it holds starts here, however long the pause was.
      inputs[index].taken = max(inputs[index].taken, start)
    }
    inputs[index].last = max(inputs[index].last, Self.end(start, duration))
    inputs[index].samples += 1
    inputs[index].bytes += bytes
  }

  /// A sample has left.
  mutating func take(_ index: Int, time: Int64?, duration: Int64, bytes: Int) {
    inputs[index].samples -= 1
    inputs[index].bytes -= bytes
    let start = time ?? inputs[index].taken
    inputs[index].taken = max(inputs[index].taken, Self.end(start, duration))
  }

  /// Where a sample ends. The lengths of a damaged stream may add up to more than any time: half of
  /// the range is left for what is compared with it.
  private static func end(_ start: Int64, _ duration: Int64) -> Int64 {
    let (end, overflows) = start.addingReportingOverflow(max(0, duration))
    return overflows ? .max / 2 : min(end, .max / 2)
  }

  /// Has an input that isn't ready hold, and run ahead, twice as much, where another is ready, and may wait
  /// for what this one's producer can't go on to; `false` where there is none, or all inputs together hold
  /// so many bytes already.
  mutating func widen(_ index: Int, limit: Int) -> Bool {
    guard let cause = cause(of: index), cause != .beforeTurn,
      inputs.indices.contains(where: { $0 != index && isAwaited($0) })
    else { return false }
    guard inputs.reduce(0, { $0 + $1.bytes }) < limit else { return false }
    return inputs[index].widen(limit: limit)
  }

  /// Whether samples of an input could come.
  private func isAwaited(_ index: Int) -> Bool {
    !inputs[index].isFinished && inputs[index].turn <= turn && cause(of: index) == nil
  }

  /// No more samples come on an input.
  mutating func finish(_ index: Int) { inputs[index].isFinished = true }

  /// Nothing more of an input is taken: where it was the last of its turn, the next one begins.
  mutating func end(_ index: Int) {
    inputs[index].isOver = true
    turn = inputs.filter { !$0.isOver }.map(\.turn).min() ?? turn
  }
}

extension MediaTime {
  /// Nanoseconds, at most those of 100 years; zero for a time that is no number.
  var nanosecondsClamped: Int64 {
    guard let clock else { return 0 }
    return Int64(min(clock, 3_155_760_000_000_000_000))
  }
}
