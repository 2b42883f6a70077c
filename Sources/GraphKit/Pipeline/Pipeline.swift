import GStreamer
import GraphKitSystem

/// A plan at work: start, pause, resume, finish, cancel, live parameters, events.
///
/// Every call is safe from any task at any time; one that makes no sense in the present state
/// changes nothing. The pipeline ends exactly once, as completed, failed or cancelled, and runs once:
/// a graph that is to run again gets another pipeline. A run that was started goes on though the
/// program lets go of the pipeline.
public final class Pipeline: Sendable {
  /// How a run is watched and timed.
  public struct Configuration: Sendable {
    /// Seconds without any sample moving after which the run fails, with who waits for whom.
    public var stallTimeout = 10.0
    /// Seconds that sinks have to close their files after a failure.
    public var closingTimeout = 5.0
    /// Whether stages, readiness and waits are kept for ``Pipeline/trace``.
    public var keepsTrace = false

    /// Whether queues get more room where a run would stand still.
    package var growsQueues = true

    /// When a live graph counts as one that can't keep up.
    package var economyRule = EconomyRule()

    /// Whose time live sources follow.
    public var clock = ClockChoice.system

    /// The defaults.
    public init() {}
  }

  /// Whose time live sources follow.
  public enum ClockChoice: Hashable, Sendable {
    /// That of the machine, or of a device that has a clock of its own.
    case system
    /// None but their own: time moves on as soon as everything that is due has happened. A live
    /// graph runs as fast as it can and drops nothing, each time in the same way. For tests, with
    /// sources that make their samples themselves, such as `testVideo`: a real camera knows no
    /// other time than the world's.
    case virtual
  }

  let storage: PipelineStorage

  /// Lowers a plan onto GStreamer, on the calling thread; nothing runs before ``start()``. Throws where an element
  /// is missing or doesn't take a property, where two don't fit, and where a node can't say its
  /// elements; no file has been touched then.
  public init(
    _ plan: Plan, environment: any Environment, configuration: Configuration = Configuration()
  ) throws(PipelineFailure) {
    storage = try PipelineStorage(plan, environment: environment, configuration)
  }

  // MARK: Control

  /// Runs from start to end. Throws ``RunError`` where the run fails or is cancelled; the report of
  /// what was done until then comes with it. A cancelled task cancels the run.
  public func run() async throws -> Report {
    start()
    return try await withTaskCancellationHandler {
      try await end()
    } onCancel: {
      cancel()
    }
  }

  /// Makes or opens the files that the run writes, before it begins, for who wants to know at once where
  /// that can't be: nothing is left then. Pipes and devices, which may wait for others, are the run's.
  package func openOutputs() throws(PipelineFailure) { try storage.openOutputs() }

  /// Begins. Nothing waits; ``end()`` does.
  public func start() {
    guard let loop = storage.begin() else { return }
    _ = StreamingThread(name: "pipeline", running: loop) { $0.run() }
  }

  /// Runs from start to end on the calling thread, which must be none that Swift tasks run on: for
  /// who has nothing else to do, a thread less. It must not have been started otherwise.
  package func runHere() -> Report {
    storage.begin()?.run()
    return storage.currentReport
  }

  /// Waits for the end. Throws ``RunError`` where it isn't completion. A pipeline that is never
  /// started has no end before it is cancelled.
  public func end() async throws -> Report {
    let report = await report()
    guard report.state == .completed else { throw RunError(report: report) }
    return report
  }

  /// Waits for the end, whichever it is.
  public func report() async -> Report {
    await withCheckedContinuation { continuation in
      storage.whenOver { continuation.resume(returning: $0) }
    }
  }

  /// The same for a thread that may wait, which none is that Swift's tasks run on.
  package func waitForReport() -> Report {
    let answer = Monitor<Report?>(nil)
    storage.whenOver { report in
      answer.withLock { $0 = report }
      answer.wakeAll()
    }
    return answer.withLock { state in
      while true {
        if let report = state { return report }
        answer.wait(&state)
      }
    }
  }

  /// The same, for so many seconds at most; `nil` where the end hasn't come by then.
  @discardableResult
  package func waitForEnd(seconds: Double) -> Report? {
    let answer = Monitor<Report?>(nil)
    storage.whenOver { report in
      answer.withLock { $0 = report }
      answer.wakeAll()
    }
    let end = ContinuousClock.now + .seconds(seconds)
    return answer.withLock { state in
      while state == nil, .now < end {
        let rest = (end - .now) / .nanoseconds(1)
        answer.wait(&state, nanoseconds: UInt64(max(0, rest)))
      }
      return state
    }
  }

  /// Halts the flow: time stands still until ``resume()``, and what is written has no gap. A run that
  /// isn't ready yet halts as soon as it is.
  public func pause() { storage.send(.pause) }

  /// Goes on after ``pause()``.
  public func resume() { storage.send(.resume) }

  /// Ends as if the sources had: everything that was taken is written. A run that isn't ready yet ends so
  /// as soon as it is where programs bring its samples, and else as cancelled.
  public func finish() { storage.send(.finish) }

  /// How long what it reads is in all, in seconds; `nil` where its sources don't say.
  package var duration: Double? { storage.duration }

  /// Whether something has gone wrong, so that the run ends as a failed one.
  package var isFailing: Bool { storage.context.failure != nil }

  /// Whether it ends by itself, in order, and as a failed one: on a full disk, say.
  package var isEndingEarly: Bool { storage.context.earlyEnd != nil }

  /// The report of the end; `nil` before that.
  package var finalReport: Report? { storage.finalReport }

  /// Ends at once, and takes away what the run has written and no other has changed; of a file in parts
  /// the newest. Returns once that is so.
  package func cancelRemovingFiles() async {
    storage.context.removesFiles.store(true, ordering: .relaxed)
    cancel()
    // It may have ended before.
    if await report().state != .cancelled { storage.removeFiles() }
  }

  /// Ends at once. Files are left as they are.
  public func cancel() {
    storage.send(.cancelRequested)
    storage.concludeUnstarted()
  }

  /// Has every sink that writes its file in parts begin another one, at a key frame that the encoders
  /// are asked for. Throws where there is none.
  public func split() throws(NodeError) {
    guard !state.isEnd else {
      throw NodeError("the run is over", remedy: "split a file while it is recorded")
    }
    let parts = storage.lowered.writers.values.count { $0.split() }
    guard parts == 0 else { return }
    throw NodeError(
      "no sink of the graph writes its file in parts",
      remedy: "give an `mp4Sink` a path with `{number}` in it")
  }

  /// Marks the newest moment of every file that can have marks, such as movies, whose chapters they
  /// become. Returns the marks, one of each file. Throws where there is none, where the run isn't
  /// running, and where the title is empty.
  @discardableResult
  public func mark(_ title: String) throws(NodeError) -> [Mark] { try mark(title, at: nil) }

  /// The same of a moment of which samples may be on their way, in the time of the run; of the newest of
  /// each file for `nil`.
  package func mark(_ title: String, at time: MediaTime?) throws(NodeError) -> [Mark] {
    let title = try Mark.title(title)
    try checkThatMarksCanBeSet()
    var (marks, refusal): ([Mark], NodeError?) = ([], nil)
    for (node, writer) in storage.lowered.writers.sorted(by: { $0.key < $1.key }) {
      do {
        guard let time = try writer.mark(title, at: time) else { continue }
        marks.append(Mark(node: node, title: title, time: time))
      } catch {
        refusal = refusal ?? error as? NodeError
      }
    }
    for mark in marks { storage.context.log.marked(mark) }
    guard marks.isEmpty else { return marks }
    throw refusal
      ?? NodeError(
        "no sink of the graph writes a file that has marks",
        remedy: "record with an `mp4Sink`, whose chapters they become")
  }

  private func checkThatMarksCanBeSet() throws(NodeError) {
    let (what, remedy) =
      switch state {
      case .running: ("", "")
      case .idle, .preparing: ("the run hasn't begun", "set marks once it runs")
      case .paused: ("the run is paused", "resume it, then set the mark")
      case .finishing: ("the run is finishing", "set marks while it runs")
      case .completed, .failed, .cancelled: ("the run is over", "set marks while it runs")
      }
    if !what.isEmpty { throw NodeError(what, remedy: remedy) }
  }

  /// Where the pipeline is.
  public var state: PipelineState { storage.state }
}

/// A run that didn't complete, with the report of what was done until then.
public struct RunError: Error, Sendable, CustomStringConvertible {
  /// What happened.
  public let report: Report

  package init(report: Report) { self.report = report }

  public var description: String {
    report.failure?.description ?? "the run was \(report.state.rawValue)"
  }
}
