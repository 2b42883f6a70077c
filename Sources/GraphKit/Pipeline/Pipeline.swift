import GStreamer
import System

/// A plan at work: start, pause, resume, finish, cancel, live parameters, events.
///
/// Every call is safe from any task at any time; one that makes no sense in the present state
/// changes nothing. The pipeline ends exactly once, as completed, failed or cancelled.
public final class Pipeline: Sendable {
  /// How a run is watched and timed.
  public struct Configuration: Sendable {
    /// Seconds without any sample moving after which the run fails, with who waits for whom.
    public var stallTimeout = 10.0
    /// Seconds that sinks have to close their files after a failure.
    public var closingTimeout = 5.0
    /// Whether stages, readiness and waits are kept for ``Pipeline/trace``.
    public var keepsTrace = false

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

  let context: RunContext
  let lowered: Lowered
  let configuration: Configuration
  let plan: Plan
  /// What was there already of the files to write, by their paths.
  let filesBefore: [String: FileStamp]
  /// Where what may never return is done.
  let states = StateThread()
  private let virtualTime: VirtualTime?
  private let bus: Bus?
  private let control = Monitor(Control())

  struct Control {
    var state = PipelineState.idle
    var inputs: [PipelineInput] = []
    var hasThread = false
    /// How far the run had come when it was paused, while it is.
    var pausedPosition: Double?
    var report: Report?
    var waiters: [@Sendable (Report) -> Void] = []
  }

  /// Lowers a plan onto GStreamer. Throws where an element is missing or two don't fit.
  public init(
    _ plan: Plan, environment: any Environment, configuration: Configuration = Configuration()
  ) throws(PipelineFailure) {
    self.plan = plan
    self.configuration = configuration
    filesBefore = plan.outputs.reduce(into: [:]) { $0[$1.path] = FileStamp($1.path) }
    context = RunContext(log: RunLog(traces: configuration.keepsTrace))
    lowered = try Lowerer(plan, environment: environment, context: context).lower()
    virtualTime = configuration.clock == .virtual ? VirtualTime(lowered) : nil
    bus = lowered.pipeline.bus
    context.onFailure { [weak self] in self?.send(.failure) }
  }

  deinit {
    // A playing pipeline may not be freed. One that has run was torn down by its thread.
    if state == .idle { stopThreads() }
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

  /// Begins. Nothing waits; ``end()`` does.
  public func start() {
    guard let loop = begin() else { return }
    _ = StreamingThread(name: "pipeline", running: loop) { $0.run() }
  }

  /// Runs from start to end on the calling thread, which must be none that Swift tasks run on: for
  /// who has nothing else to do, a thread less. It must not have been started otherwise.
  package func runHere() -> Report {
    begin()?.run()
    return control.withLock { $0.report } ?? makeReport()
  }

  /// What runs the pipeline, for the first who asks.
  private func begin() -> RunLoop? {
    let isFirst = control.withLock { control in
      defer { control.hasThread = true }
      return !control.hasThread && !control.state.isEnd
    }
    send(.start)
    guard isFirst else { return nil }
    context.takeComplaints(owners: lowered.owners, bus)
    virtualTime?.start(lowered, log: context.log)
    return RunLoop(self, bus: bus)
  }

  /// Waits for the end. Throws ``RunError`` where it isn't completion.
  public func end() async throws -> Report {
    let report = await report()
    guard report.state == .completed else { throw RunError(report: report) }
    return report
  }

  /// Waits for the end, whichever it is.
  public func report() async -> Report {
    await withCheckedContinuation { continuation in
      whenOver { continuation.resume(returning: $0) }
    }
  }

  private func whenOver(_ body: @escaping @Sendable (Report) -> Void) {
    let report = control.withLock { control -> Report? in
      if control.report == nil { control.waiters.append(body) }
      return control.report
    }
    if let report { body(report) }
  }

  /// Halts the flow: time stands still until ``resume()``, and what is written has no gap.
  public func pause() { send(.pause) }

  /// Goes on after ``pause()``.
  public func resume() { send(.resume) }

  /// Ends as if the sources had: everything that was taken is written.
  public func finish() { send(.finish) }

  /// Ends at once. Files are left as they are.
  public func cancel() {
    send(.cancelRequested)
    let isAlone = control.withLock { control -> Bool in
      guard !control.hasThread, !control.state.isEnd else { return false }
      control.state = .cancelled
      return true
    }
    if isAlone { conclude() }
  }

  /// Where the pipeline is.
  public var state: PipelineState { control.withLock { $0.state } }

  // MARK: The run loop's side

  func send(_ input: PipelineInput) {
    control.withLock { $0.inputs.append(input) }
    bus?.wake()
  }

  /// How far the run had come when it was paused; `nil` while it isn't.
  var pausedPosition: Double? { control.withLock { $0.pausedPosition } }

  /// What was asked for since the last call.
  func takeInputs() -> [PipelineInput] {
    control.withLock { control in
      defer { control.inputs = [] }
      return control.inputs
    }
  }

  /// Moves the state machine; returns what to do.
  func advance(_ input: PipelineInput) -> [PipelineAction] {
    let hasFailed = context.failure != nil
    let (new, actions, changed) = control.withLock { control in
      let (new, actions) = control.state.after(input, hasFailed: hasFailed)
      defer { control.state = new }
      return (new, actions, new != control.state)
    }
    if changed {
      let held = new == .paused ? position : nil
      control.withLock { $0.pausedPosition = held }
      context.log.send(.state(new))
    }
    return actions
  }

  /// The last touch to a file failed after everything else had gone well, or the sinks of a run that
  /// had failed didn't come to an end.
  func markFailed() { control.withLock { $0.state = .failed } }

  /// Stops every thread of the pipeline; returns once they have ended, which may be never.
  func stopThreads() {
    context.gate.abandon()
    lowered.pipeline.setState(.null)
    for pending in lowered.loops { pending.loop.join() }
  }

  /// Stops virtual time, where there is any.
  func stopTime() { virtualTime?.stop() }

  /// Records the end and wakes the callers that wait for it. Called once.
  func conclude() {
    context.leaveComplaints()
    let report = makeReport()
    let waiters = control.withLock { control in
      control.report = report
      defer { control.waiters = [] }
      return control.waiters
    }
    context.log.send(.end(report.state))
    for waiter in waiters { waiter(report) }
  }
}

/// A run that didn't complete, with the report of what was done until then.
public struct RunError: Error, Sendable, CustomStringConvertible {
  /// What happened.
  public let report: Report

  public var description: String {
    report.failure?.description ?? "the run was \(report.state.rawValue)"
  }
}
