/// Whether a run goes on without the inputs that have had no sample in their time.
///
/// Devices begin in time or not at all, and others can't wait for them. Where nothing is live, a track's
/// first sample may take as long as its nodes work for it: there the time is one in which nothing moves.
struct Starvation {
  private let isLive: Bool
  private var watch: ProgressWatch

  init(_ storage: PipelineStorage) {
    isLive = storage.plan.nodes.contains { $0.node.traits.isLive }
    let timeouts = storage.lowered.groups.flatMap { group in
      group.wires.compactMap { $0.policy.firstSampleTimeout?.seconds }
    }
    watch = ProgressWatch(.stall(timeouts.min() ?? .infinity))
  }

  /// Takes how far the run is, and whether it waits for a file of a server; whether what has had no
  /// sample by now is left out. To be called many times a second.
  mutating func isOver(progress: Int, isAwaiting: Bool) -> Bool {
    if isLive { return true }
    if isAwaiting { watch.reset() }
    return watch.isAtRest(progress: progress)
  }
}
