/// Where a pipeline is, what was asked of it, and who waits for its end: a pure state machine, which
/// ``PipelineStorage`` keeps behind a lock.
struct PipelineControl: Sendable {
  typealias Waiter = @Sendable (Report) -> Void

  private(set) var state = PipelineState.idle
  /// How far the run had come when it was paused, while it is.
  var pausedPosition: Double?
  private(set) var report: Report?
  private var inputs: [PipelineInput] = []
  private var hasThread = false
  private var waiters: [Waiter] = []

  /// Whether the caller is to run the pipeline: the first who asks, before its end.
  mutating func begin() -> Bool {
    defer { hasThread = true }
    return !hasThread && !state.isEnd
  }

  /// Something is asked of the pipeline, or happens to it.
  mutating func add(_ input: PipelineInput) { inputs.append(input) }

  /// What has come since the last call.
  mutating func takeInputs() -> [PipelineInput] {
    defer { inputs = [] }
    return inputs
  }

  /// Moves on; what to do, and whether the state is another one.
  mutating func advance(_ input: PipelineInput, hasFailed: Bool) -> (
    actions: [PipelineAction], isNew: Bool
  ) {
    let (new, actions) = state.after(input, hasFailed: hasFailed)
    defer { state = new }
    return (actions, new != state)
  }

  /// Cancels a pipeline that nothing runs; whether the caller is to conclude it.
  mutating func cancelUnstarted() -> Bool {
    guard !hasThread, !state.isEnd else { return false }
    state = .cancelled
    return true
  }

  /// The last touch to a file failed after everything else had gone well, or the sinks of a run that
  /// had failed didn't come to an end.
  mutating func markFailed() { state = .failed }

  /// Has `waiter` called with the report; returns it where there is one already.
  mutating func wait(_ waiter: @escaping Waiter) -> Report? {
    if report == nil { waiters.append(waiter) }
    return report
  }

  /// Takes the report of the run that has ended; returns who waits for it. What the files hold may have
  /// made it a failed one.
  mutating func conclude(_ report: Report) -> [Waiter] {
    self.report = report
    if report.state == .failed { markFailed() }
    defer { waiters = [] }
    return waiters
  }
}
