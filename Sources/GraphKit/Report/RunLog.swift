import GStreamer
import Synchronization
import GraphKitSystem

/// What a run reports while it runs: events for its listeners, and the trace. Called from every
/// thread, so nothing here waits. Listeners are called at once, so events aren't sent inside a lock.
package final class RunLog: Sendable {
  private let listeners = Monitor<[Int: @Sendable (PipelineEvent) -> Void]>([:])
  private let nextListener = Atomic<Int>(0)
  private let listenerCount = Atomic<Int>(0)
  private let steps = Atomic<Int>(0)
  /// An element may repeat its own warning with every sample.
  private let warningLog = Monitor(FirstEntries<RunWarning>(most: 100))
  /// A run of days may see a change with every frame.
  private let changeLog = Monitor(FirstEntries<ParameterChange>(most: 10_000))
  private let economyLog = Monitor(EconomyLog())
  private let markLog = Monitor(FirstEntries<Mark>(most: 10_000))
  private let connectionLog = Monitor<[String: ConnectionReport]>([:])
  private let spans: Monitor<[TraceSpan]>?
  /// When the run began.
  let start = ContinuousClock.now
  /// How long it has been at work.
  let active = ActiveTime()

  /// A log that keeps a trace or doesn't.
  init(traces: Bool) { spans = traces ? Monitor([]) : nil }

  /// What a trace holds at most: an hour of a recording, in about 100 MB.
  static let mostSpans = 1_000_000

  /// How many samples have entered or left a wire: what the stall doctor watches.
  var progress: Int { steps.load(ordering: .relaxed) }

  func advance() { steps.add(1, ordering: .relaxed) }

  /// Whether there are listeners: what may happen with every sample is put into words only for
  /// them.
  var hasListeners: Bool { listenerCount.load(ordering: .relaxed) > 0 }

  /// Calls `body` with every event from now on; returns the listener's number.
  func listen(_ body: @escaping @Sendable (PipelineEvent) -> Void) -> Int {
    let number = nextListener.add(1, ordering: .relaxed).newValue
    listeners.withLock { $0[number] = body }
    listenerCount.add(1, ordering: .relaxed)
    return number
  }

  func stopListening(_ number: Int) {
    if listeners.withLock({ $0.removeValue(forKey: number) }) != nil {
      listenerCount.subtract(1, ordering: .relaxed)
    }
  }

  /// The warnings so far.
  var warnings: FirstEntries<RunWarning> { warningLog.withLock { $0 } }

  func send(_ kind: PipelineEvent.Kind) {
    if case .warning(let node, let message) = kind {
      warningLog.withLock { $0.add(RunWarning(node: node, message: message)) }
    }
    let event = PipelineEvent(time: (ContinuousClock.now - start) / .seconds(1), kind: kind)
    let bodies = listeners.withLock { Array($0.values) }
    for body in bodies { body(event) }
  }

  /// A live parameter has changed.
  func changed(_ change: ParameterChange) {
    changeLog.withLock { $0.add(change) }
    send(.parameter(change))
  }

  /// The live parameters that have changed so far.
  var changes: FirstEntries<ParameterChange> { changeLog.withLock { $0 } }

  /// Quality was given up, or came back.
  func economized(_ change: EconomyChange) {
    economyLog.withLock { $0.add(change) }
    send(.economy(change))
  }

  /// The steps by which quality was given up, so far.
  var economies: [EconomyReport] { economyLog.withLock { $0.reports } }

  /// A moment of a file was marked.
  func marked(_ mark: Mark) {
    markLog.withLock { $0.add(mark) }
    send(.mark(mark))
  }

  /// The first moments that were marked, so far.
  var marks: [Mark] { markLog.withLock { $0.first } }

  /// A source's connection has changed.
  func connected(_ change: ConnectionChange, node: String) {
    connectionLog.withLock { $0[node, default: ConnectionReport()].add(change) }
    send(.connection(node: node, change))
  }

  /// What has become of the connections of sources, by node.
  var connections: [String: ConnectionReport] { connectionLog.withLock { $0 } }

  /// A producer has waited until a wire was ready.
  func waited(
    wire: String, from: ContinuousClock.Instant, to: ContinuousClock.Instant, since cause: String?
  ) {
    span(name: "wait", track: wire, from: from, to: to, cause: cause)
  }

  /// A consumer has waited until there was something on a wire.
  func idled(wire: String, from: ContinuousClock.Instant, to: ContinuousClock.Instant) {
    span(name: "idle", track: wire, from: from, to: to, cause: "no sample to take")
  }

  func span(
    name: String, track: String, from: ContinuousClock.Instant, to: ContinuousClock.Instant,
    cause: String? = nil
  ) {
    spans?.withLock {
      guard $0.count < Self.mostSpans else { return }
      $0.append(
        TraceSpan(
          name: name, track: track, start: (from - start) / .seconds(1),
          duration: (to - from) / .seconds(1), cause: cause))
    }
  }

  /// What was traced so far.
  var trace: [TraceSpan] { spans?.withLock { $0 } ?? [] }

  /// Whether a trace is kept.
  var isTracing: Bool { spans != nil }
}

/// A piece of time in the trace.
struct TraceSpan: Hashable, Sendable {
  var name: String
  var track: String
  /// Seconds since the run began.
  var start: Double
  var duration: Double
  /// Why a thread waited.
  var cause: String?
}
