import GStreamer

/// One output that leads to several inputs: each gets a reference to the same samples.
///
/// Where one of them fails, the others go on to the end that a failed run is brought to, so that their
/// files are closed with all that came.
final class FanOutTarget: SampleTarget {
  private let branches: [(wire: String, target: any SampleTarget)]
  /// The node that sends.
  private let node: String
  private let context: RunContext
  /// Inputs that take no more; the others go on.
  private var hasEnded: [Bool]
  private var failure: (any Error)?

  init(
    _ branches: [(wire: String, target: any SampleTarget)], of node: String, context: RunContext
  ) {
    (self.branches, self.node, self.context) = (branches, node, context)
    hasEnded = branches.map { _ in false }
  }

  func announce(_ format: FormatDescription) throws {
    try forEachOpen { try $0.announce(format) }
  }

  var isReady: Bool { branches.allSatisfy(\.target.isReady) }

  func whenReady(_ body: @escaping @Sendable () -> Void) {
    let late = branches.first { !$0.target.isReady }
    if let late { late.target.whenReady(body) } else { body() }
  }

  func note(_ tags: StreamTags) {
    for branch in branches { branch.target.note(tags) }
  }

  func receive(_ sample: consuming SampleBuffer) throws {
    try forEachOpen { try $0.receive(sample.share()) }
    if hasEnded.allSatisfy(\.self) { throw failure ?? FlowStopped.enough }
  }

  func finish() throws { try branches.forEachToTheEnd { try $0.target.finish() } }

  private func forEachOpen(_ body: (any SampleTarget) throws -> Void) throws {
    for index in branches.indices where !hasEnded[index] {
      do { try body(branches[index].target) } catch {
        let stop = error as? FlowStopped
        // While a run is stopped, formats are refused since nothing takes any.
        if stop?.flow == Flow.flushing.rawValue || context.gate.isAbandoned { throw error }
        hasEnded[index] = true
        if stop?.isEnough != true { leave(branches[index].wire, for: error) }
      }
    }
  }

  private func leave(_ wire: String, for error: any Error) {
    failure = failure ?? error
    let stop = (error as? FlowStopped).map { Flow(rawValue: $0.flow) }
    context.fail(
      stop.map { .stoppedFlow($0, wire: wire) }
        ?? PipelineFailure(
          node: node, error, remedy: "look at what the node does with its samples"))
  }
}
