import GStreamer
import GraphKitSystem

/// What a running pipeline is made of, behind its face, ``Pipeline``: the elements, the state machine
/// with its lock, and what is done as that says.
final class PipelineStorage: Sendable {
  let context: RunContext
  let lowered: Lowered
  let configuration: Pipeline.Configuration
  let plan: Plan
  /// What is run before anything is started or written.
  private let firstPass: FirstPass?
  /// What was there already of the files to write, by their paths.
  let filesBefore: [String: FileStamp]
  /// What sources read.
  let readFiles: ReadFiles
  /// What nodes read, and may have to wait for.
  private let openFiles: [InputFile]
  /// Where what may never return is done.
  var states: StateThread { context.states }
  private let virtualTime: VirtualTime?
  private let bus: Bus?
  private let control = Monitor(PipelineControl())

  init(_ plan: Plan, environment: any Environment, _ configuration: Pipeline.Configuration)
    throws(PipelineFailure)
  {
    firstPass = try FirstPass(of: plan, environment: environment, configuration)
    let plan = firstPass?.second(plan) ?? plan
    self.plan = plan
    self.configuration = configuration
    filesBefore = plan.outputs.reduce(into: [:]) { $0[$1.path] = FileStamp($1.path) }
    readFiles = ReadFiles(plan)
    openFiles = plan.nodes.flatMap(\.node.openFiles)
    for file in openFiles { file.file.resumeFetching() }
    context = RunContext(log: RunLog(traces: configuration.keepsTrace))
    lowered = try Lowerer(plan, environment: environment, context: context).lower()
    virtualTime = configuration.clock == .virtual ? VirtualTime(lowered) : nil
    bus = lowered.pipeline.bus
    context.setClock { [weak pipeline = lowered.pipeline] in pipeline?.runningTime }
    context.onFailure { [weak self] in self?.send(.failure) }
  }

  deinit {
    // A playing pipeline may not be freed. One that has run was torn down by its thread.
    if state == .idle { stopThreads() }
  }

  /// Runs the first of two passes, where there are two. Returns whether it wasn't cancelled.
  func runFirstPass() throws(PipelineFailure) -> Bool {
    guard let firstPass else { return true }
    guard try firstPass.run(reportingTo: context.log) else { return false }
    for file in openFiles { file.file.resumeFetching() }
    return true
  }

  /// Ends the first pass, where it runs.
  func cancelFirstPass() { firstPass?.cancel() }

  /// Whether it runs now.
  var isInFirstPass: Bool { firstPass?.isRunning == true }

  /// Whether a node waits for bytes of a web server, or for its connection to another sender.
  var isAwaitingNetwork: Bool { isAwaitingFiles || !context.awaitingSources.isEmpty }

  /// Whether nothing can come in the meantime, since that holds of all live sources, or of a file.
  var isAwaitingInput: Bool {
    if isAwaitingFiles { return true }
    let awaiting = context.awaitingSources
    let live = plan.nodes.filter(\.node.traits.isLive)
    return !awaiting.isEmpty && live.allSatisfy { awaiting.contains($0.name) }
  }

  private var isAwaitingFiles: Bool { openFiles.contains { $0.file.web?.isAwaited == true } }

  // MARK: The callers' side

  /// What runs the pipeline, for the first who asks.
  func begin() -> RunLoop? {
    let isFirst = control.withLock { $0.begin() }
    send(.start)
    guard isFirst else { return nil }
    context.takeComplaints(
      owners: lowered.owners, except: lowered.groundlessComplaints, bus)
    virtualTime?.start(lowered, log: context.log)
    return RunLoop(self, bus: bus)
  }

  /// Calls `body` with the report, at the end or at once where that has come.
  func whenOver(_ body: @escaping @Sendable (Report) -> Void) {
    let report = control.withLock { $0.wait(body) }
    if let report { body(report) }
  }

  /// Ends a pipeline that was cancelled before anything ran it.
  func concludeUnstarted() {
    guard control.withLock({ $0.cancelUnstarted() }) else { return }
    // No element was started, so none stops its wires: a program's tasks may wait on them.
    for group in lowered.groups {
      for index in group.wires.indices { group.setFlushing(true, on: index) }
    }
    conclude()
  }

  /// The report of the end, or of what was done so far.
  var currentReport: Report { control.withLock { $0.report } ?? makeReport() }

  /// The report of the end; `nil` before that.
  var finalReport: Report? { control.withLock { $0.report } }

  /// Where the pipeline is.
  var state: PipelineState { control.withLock { $0.state } }

  // MARK: The run loop's side

  func send(_ input: PipelineInput) {
    control.withLock { $0.add(input) }
    bus?.wake()
  }

  /// How far the run had come when it was paused; `nil` while it isn't.
  var pausedPosition: Double? { control.withLock { $0.pausedPosition } }

  /// What was asked for since the last call.
  func takeInputs() -> [PipelineInput] { control.withLock { $0.takeInputs() } }

  /// Moves the state machine; returns what to do.
  func advance(_ input: PipelineInput) -> [PipelineAction] {
    let hasFailed = context.failure != nil
    let (new, actions, isNew) = control.withLock { control in
      let (actions, isNew) = control.advance(input, hasFailed: hasFailed)
      return (control.state, actions, isNew)
    }
    if isNew {
      let held = new == .paused ? position : nil
      control.withLock { $0.pausedPosition = held }
      context.log.send(.state(new))
    }
    return actions
  }

  /// What was done isn't what was asked for after all.
  func markFailed() { control.withLock { $0.markFailed() } }

  /// Stops every thread of the pipeline; returns once they have ended, which may be never.
  func stopThreads() {
    context.gate.abandon(isCancelled: state == .cancelled)
    for file in openFiles { file.file.stopFetching() }
    lowered.pipeline.setState(.null)
    for pending in lowered.loops { pending.loop.join() }
  }

  /// Stops virtual time, where there is any.
  func stopTime() { virtualTime?.stop() }

  /// Records the end and wakes the callers that wait for it. Called once.
  func conclude() {
    context.leaveComplaints()
    firstPass?.removeStatistics()
    let report = makeReport()
    let waiters = control.withLock { $0.conclude(report) }
    context.log.send(.end(report.state))
    for waiter in waiters { waiter(report) }
  }
}
