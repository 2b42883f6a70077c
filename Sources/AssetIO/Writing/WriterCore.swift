import GraphKit
import GraphKitSystem

/// What a writer and its receivers share.
final class WriterCore: Sendable {
  struct State {
    var receivers: [SampleReceiver] = []
    var groups: [AssetWriterInputGroup] = []
    var pipeline: Pipeline?
    var inputs: [SampleInput] = []
    var session = WriterSession()
    var status = AssetWriter.Status.unknown
    var error: (any Error)?
  }

  /// What messages call what is written.
  let name: String
  let patience: Duration
  let state = Monitor(State())
  /// What the program's own closure has thrown.
  private let thrown: Monitor<(any Error)?>

  init(name: String, patience: Duration, thrown: Monitor<(any Error)?> = Monitor(nil)) {
    (self.name, self.patience, self.thrown) = (name, patience, thrown)
  }

  /// How far writing has come, and why it failed: at once when the run has.
  var outcome: (status: AssetWriter.Status, error: (any Error)?) {
    state.withLock { state in
      noteFailure(&state)
      return (state.status, state.error)
    }
  }

  private func noteFailure(_ state: inout State) {
    guard state.status == .writing, let report = state.pipeline?.finalReport else { return }
    if report.state == .failed { conclude(report, &state) }
  }

  /// Takes over how the run has ended.
  func conclude(_ report: Report) { state.withLock { conclude(report, &$0) } }

  private func conclude(_ report: Report, _ state: inout State) {
    guard state.status == .writing else { return }
    switch report.state {
    case .completed: state.status = .completed
    case .cancelled: state.status = .cancelled
    default:
      let own = report.failure?.node == WriterOutput.segmentsName ? thrown.withLock { $0 } : nil
      (state.status, state.error) = (.failed, own ?? RunError(report: report))
    }
  }

  /// An input of the running graph, by its number.
  func input(_ number: Int) throws -> SampleInput {
    try state.withLock { state in
      noteFailure(&state)
      switch state.status {
      case .writing: return state.inputs[number - 1]
      case .failed: throw state.error ?? CancellationError()
      case .unknown:
        throw NodeError(
          "the writer of \(name) hasn't been started",
          remedy: "call `start()` once all inputs are there")
      case .completed, .cancelled:
        throw NodeError(
          "the writer of \(name) is \(state.status.rawValue)",
          remedy: "append before `finishWriting()`")
      }
    }
  }

  /// Ends what still runs, and lets go of the receivers, which hold this.
  func release() {
    let pipeline = state.withLock { state in
      defer {
        (state.receivers, state.groups) = ([], [])
        (state.inputs, state.pipeline) = ([], nil)
      }
      let isWriting = state.status == .writing
      if isWriting { state.status = .completed }
      return isWriting ? state.pipeline : nil
    }
    pipeline?.finish()
  }

  func session() throws -> WriterSession {
    let (session, status) = state.withLock { ($0.session, $0.status) }
    guard status == .unknown || session.parts.isEmpty else { return session }
    // What is wrong with the writer comes first.
    _ = try input(1)
    return session
  }

  /// Does what waits for readiness, unless another input holds it up that gets nothing.
  func watching(_ number: Int, _ body: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await body() }
      group.addTask { try await self.watch(number) }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Throws once another input that is behind has got nothing for some time, or that would take something
  /// and has got nothing while this one waited; else never returns.
  private func watch(_ number: Int) async throws {
    let start = ContinuousClock.now
    while true {
      try await Task.sleep(for: min(patience, .milliseconds(250)))
      let (receivers, lead) = state.withLock { ($0.receivers, $0.session.lead) }
      guard receivers.indices.contains(number - 1) else { return }
      let reach = receivers[number - 1].progress?.reach ?? .zero
      for other in receivers where other.number != number {
        guard let (behind, idle) = other.progress, idle > patience else { continue }
        let isAwaited = .now - start > patience && other.isReadyForMoreMediaData
        guard behind < reach || isAwaited else { continue }
        throw InputHeldUp(
          message: "input \(number) of \(name) is at \((reach - lead).seconds) s and waits for "
            + "input \(other.number), which is at \((behind - lead).seconds) s and gets nothing",
          remedy: "append to both in turns or from two tasks, or `finish()` the other one: a movie "
            + "holds its tracks interleaved")
      }
    }
  }

  /// Why an input is closed that the caller hasn't finished.
  func closedError(_ number: Int) async -> any Error {
    guard let pipeline = state.withLock({ $0.pipeline }),
      pipeline.state.isEnd || pipeline.isFailing || pipeline.isEndingEarly
    else {
      return NodeError(
        "input \(number) of \(name) takes no more samples",
        remedy: "append before `finish()` and `finishWriting()`")
    }
    let report = await pipeline.report()
    if report.state == .failed { conclude(report) }
    return outcome.error ?? CancellationError()
  }

  /// Waits for the end of the run; whether it has failed.
  func fails() async -> Bool {
    _ = await state.withLock { $0.pipeline }?.report()
    return outcome.status == .failed
  }
}

/// An input waits for another that gets nothing. The sample is none the worse for it.
struct InputHeldUp: Error {
  let reason: NodeError

  init(message: String, remedy: String) { reason = NodeError(message, remedy: remedy) }
}
