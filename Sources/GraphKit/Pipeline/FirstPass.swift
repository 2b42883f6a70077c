import GraphKitSystem

/// The first of two passes over a graph's video: a run of its own, before anything of the other is
/// started or written.
final class FirstPass: Sendable {
  private struct State {
    var pipeline: Pipeline?
    var isCancelled = false
  }

  private let plan: Plan
  private let environment: any Environment
  private let configuration: Pipeline.Configuration
  /// Where the encoders leave what they have learned, until the second pass is over.
  private let statistics: TemporaryFolder
  private let state = Monitor(State())

  /// The first pass that a plan begins with; `nil` where it has none.
  init?(
    of plan: Plan, environment: any Environment, _ configuration: Pipeline.Configuration
  ) throws(PipelineFailure) {
    guard let first = plan.firstPasses.first else { return nil }
    do throws(File.Failure) {
      statistics = try TemporaryFolder(named: "graphkit-pass", isPlain: true)
    } catch {
      throw PipelineFailure(
        node: nil, message: "no folder can be made for what the first pass learns: \(error.text)",
        remedy: "set `TMPDIR` to a folder that may be written")
    }
    self.plan = first.making(.first, statisticsIn: statistics.path)
    self.environment = environment
    self.configuration = configuration
  }

  /// The plan of the second pass.
  func second(_ plan: Plan) -> Plan { plan.making(.second, statisticsIn: statistics.path) }

  /// Runs to the end on the calling thread, saying in a log how far it is. Returns whether it wasn't
  /// cancelled, and throws why it failed.
  func run(reportingTo log: RunLog) throws(PipelineFailure) -> Bool {
    let pipeline = try Pipeline(plan, environment: environment, configuration: configuration)
    let mayRun = state.withLock { state in
      if !state.isCancelled { state.pipeline = pipeline }
      return !state.isCancelled
    }
    guard mayRun else { return false }
    defer { state.withLock { $0.pipeline = nil } }
    let listener = pipeline.storage.context.log.listen { event in
      guard case .progress(var progress) = event.kind else { return }
      progress.pass = 1
      log.send(.progress(progress))
    }
    defer { pipeline.storage.context.log.stopListening(listener) }
    pipeline.start()
    let report = pipeline.waitForReport()
    if let failure = report.failure { throw failure }
    return report.state == .completed
  }

  /// Whether it runs now.
  var isRunning: Bool { state.withLock { $0.pipeline != nil } }

  /// Takes away what it has learned, after the second pass.
  func removeStatistics() { statistics.remove() }

  /// Ends it at once, or keeps it from beginning.
  func cancel() {
    let pipeline = state.withLock { state in
      state.isCancelled = true
      return state.pipeline
    }
    pipeline?.cancel()
  }
}
