/// Gives full queues more room where a run would stand still for ever.
///
/// Queues are as large as the delays of a graph's nodes ask for, and no plan knows how long those are in
/// time: an encoder that looks 48 frames ahead holds two seconds of usual video, and four minutes of
/// slides. What joins its frames with audio then waits for them, the queue of audio is full, and the
/// source that both come from waits for it. So where nothing moves and nothing is awaited, a queue that is
/// full beside one with room becomes twice as large, the smallest of a node first, as long as the node's
/// queues hold less than ``QueueBounds/byteLimit``, as T. M. Parks has it (Bounded Scheduling of Process
/// Networks, Berkeley 1995).
///
/// Not where something is live, or sends as time passes: there no pause lasts for ever. Nor where a program
/// has brought one of its inputs less than another: it knows itself that this one is awaited.
struct QueueGrowth {
  private var watch: ProgressWatch?

  /// For how long nothing has moved, in seconds: where no thread works, and where one does, which may be
  /// another run's.
  private static let (rest, busyRest) = (0.25, 1.0)

  init(_ storage: PipelineStorage) {
    let isTimed = storage.plan.nodes.contains { node in
      node.node.traits.isLive || node.node.traits.isBestEffort
    }
    let isJoined = storage.lowered.groups.contains { $0.wires.count > 1 }
    guard !isTimed, isJoined, storage.configuration.growsQueues else { return }
    watch = ProgressWatch(.rest(Self.rest, most: Self.busyRest))
  }

  /// The run goes on after a time in which it couldn't.
  mutating func restart() { watch?.reset() }

  /// Looks whether the run stands still. To be called many times a second.
  mutating func look(at storage: PipelineStorage, isAwaiting: Bool) {
    guard watch != nil else { return }
    // What the threads of a process do is looked at for those runs alone that may have come to rest: a
    // server has hundreds.
    guard !isAwaiting, storage.lowered.groups.contains(where: \.isHeldUp) else { return restart() }
    guard hasAll(of: storage.lowered.inputs.values.map(\.standing)) else { return restart() }
    guard watch?.isAtRest(progress: storage.movedSamples) == true else { return }
    watch?.reset()
    for group in storage.lowered.groups where group.grow() { storage.context.log.advance() }
  }

  /// Whether a program has brought all inputs that aren't finished what it has brought those that wait.
  private func hasAll(of inputs: [SampleInput.Standing]) -> Bool {
    let open = inputs.filter { !$0.isFinished }
    guard let least = open.map(\.reach).min() else { return true }
    return open.allSatisfy { $0.hasBegun }
      && open.allSatisfy { $0.isReady || $0.reach - least <= QueueBounds.longestTurn }
  }
}
