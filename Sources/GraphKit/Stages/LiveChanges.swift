import GStreamer
import Synchronization
import GraphKitSystem

/// Changes of a node's live parameters on their way to its streaming thread.
final class LiveChanges: Sendable {
  fileprivate struct State: Sendable {
    /// The node as it is once everything that was asked for has come.
    var expected: any Node
    /// The node as samples meet it now.
    var present: any Node
    var waiting: [ParameterChange] = []
    /// The keyframes of parameters that aren't over.
    var tracks: [String: Keyframes]
    /// The latest time of a sample.
    var latest = MediaTime.zero

    var isAnyWaiting: Bool { !waiting.isEmpty || !tracks.isEmpty }
  }

  typealias Value = (name: String, value: JSONValue)

  /// How many changes may wait, so that they can't fill the memory.
  static let mostWaiting = 1000

  let node: String
  let type: NodeType
  private let plan: Plan
  private let log: RunLog
  private let state: Monitor<State>
  private let isAnyWaiting = Atomic<Bool>(false)

  init(of node: String, _ type: NodeType, at start: any Node, in plan: Plan, log: RunLog) {
    self.node = node
    self.type = type
    self.plan = plan
    self.log = log
    let tracks = Keyframes.all(in: plan[node]?.parameters ?? [:], of: type)
    state = Monitor(State(expected: start, present: start, tracks: tracks))
    isAnyWaiting.store(!tracks.isEmpty, ordering: .relaxed)
  }

  /// Whether a look at the changes is worth a lock.
  var areWaiting: Bool { isAnyWaiting.load(ordering: .relaxed) }

  /// The node with every change that has come.
  var present: any Node { state.withLock { $0.present } }

  /// The node with every change that was asked for.
  var requested: any Node { state.withLock { $0.expected } }

  /// What was asked for and hasn't come.
  var waiting: [ParameterChange] { state.withLock { $0.waiting } }

  /// Throws where the node doesn't take values, each of which its parameter takes.
  func check(_ values: [Value]) throws(NodeError) {
    try state.withLock { state throws(NodeError) in _ = try expected(values, state) }
  }

  /// Changes parameters together, all or none, with the first sample at or after `time`; with the
  /// next one where it is `nil`.
  func add(_ values: [Value], at time: MediaTime?) throws(NodeError) {
    try state.withLock { state throws(NodeError) in
      state.expected = try expected(values, state)
      for (name, value) in values {
        state.waiting.append(
          ParameterChange(node: node, parameter: name, value: value, requested: time))
      }
      isAnyWaiting.store(state.isAnyWaiting, ordering: .relaxed)
    }
  }

  /// The node with all that was asked for and some values more.
  private func expected(_ values: [Value], _ state: State) throws(NodeError) -> any Node {
    guard state.waiting.count + values.count <= Self.mostWaiting else { throw .tooManyChanges }
    var expected = state.expected
    for (name, value) in values where !type.set(name, to: value, of: &expected) {
      throw NodeError(
        "\(node): `\(name)` doesn't take \(plain(value))", remedy: "see `graphctl nodes \(type)`",
        key: name)
    }
    let formats = plan.settledFormats(at: node)
    if let problem = expected.problem ?? expected.problem(formats: formats) {
      throw NodeError("\(node): \(problem.message)", remedy: problem.remedy, key: problem.key)
    }
    return expected
  }

  /// Hands over what is due with the sample of a time: what keyframes say, then what was asked for, in
  /// the order in which it became due.
  func apply(upTo time: MediaTime, _ body: (NodeType, String, JSONValue) -> Void) {
    let (moved, due) = state.withLock { state in
      let due = state.waiting.filter { $0.isDue(at: time) }.inOrder
      state.waiting.removeAll { $0.isDue(at: time) }
      // What is asked for while the graph runs holds from then on.
      for change in due { state.tracks[change.parameter] = nil }
      let moved = state.moved(to: time)
      for (name, value) in moved { _ = type.set(name, to: value, of: &state.present) }
      for change in due { _ = type.set(change.parameter, to: change.value, of: &state.present) }
      isAnyWaiting.store(state.isAnyWaiting, ordering: .relaxed)
      return (moved, due)
    }
    for (name, value) in moved { body(type, name, value) }
    for var change in due {
      body(type, change.parameter, change.value)
      change.applied = time
      log.changed(change)
    }
  }
}

extension LiveChanges.State {
  /// What keyframes say for a time. Inputs of one node may be at different times: none goes back.
  fileprivate mutating func moved(to time: MediaTime) -> [LiveChanges.Value] {
    guard !tracks.isEmpty, time.isNumeric else { return [] }
    latest = max(latest, time)
    let values = tracks.map { ($0.key, $0.value.value(at: latest)) }.sorted { $0.0 < $1.0 }
    tracks = tracks.filter { !$0.value.areOver(at: latest) }
    return values
  }
}

extension ParameterChange {
  fileprivate func isDue(at now: MediaTime) -> Bool {
    guard let requested else { return true }
    // Samples have whole nanoseconds, rounded down: the frame of 1/3 s comes a trifle before it.
    guard let now = now.nanoseconds, let wanted = requested.nanoseconds(rounding: .towardZero)
    else { return false }
    return wanted <= now
  }
}

extension [ParameterChange] {
  /// By time; what is for now comes last, and of one time what was asked for first.
  fileprivate var inOrder: Self {
    enumerated().sorted { a, b in
      let (first, second) = (a.element.requested, b.element.requested)
      guard first != second else { return a.offset < b.offset }
      return (first ?? .positiveInfinity) < (second ?? .positiveInfinity)
    }.map(\.element)
  }
}

extension NodeError {
  fileprivate static let tooManyChanges = NodeError(
    "\(LiveChanges.mostWaiting) changes are waiting already",
    remedy: "wait until some have come, or ask for earlier times")
}
