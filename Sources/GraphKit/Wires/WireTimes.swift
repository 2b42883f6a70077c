/// How the threads at both ends of a wire spent the run, in its active time.
struct WireTimes: Sendable {
  /// How long the thread that takes samples had nothing to do: before the first one, while it waited
  /// for others, and after the last.
  private(set) var idle = Duration.zero
  /// How long the producer waited until the wire was ready.
  private(set) var roomWait = Duration.zero
  /// When the producer's stream ended.
  private(set) var end: Duration?
  private var idleSince: Duration? = .zero
  private var blockedSince: Duration?

  var isIdle: Bool { idleSince != nil }

  mutating func beginIdle(at time: Duration) { idleSince = idleSince ?? time }

  mutating func endIdle(at time: Duration) {
    if let since = idleSince.take() { idle += time - since }
  }

  mutating func beginBlocked(at time: Duration) { blockedSince = blockedSince ?? time }

  mutating func endBlocked(at time: Duration) {
    if let since = blockedSince.take() { roomWait += time - since }
  }

  mutating func noteEnd(at time: Duration) { end = end ?? time }

  /// With what goes on at a time taken as over.
  func settled(at time: Duration) -> WireTimes {
    var settled = self
    settled.endIdle(at: time)
    settled.endBlocked(at: time)
    return settled
  }
}

extension WireGroup {
  /// How the threads at both ends of each wire have spent the run so far.
  func times(at time: Duration) -> [(name: String, times: WireTimes)] {
    monitor.withLock { state in
      zip(wires, state.queues).map { ($0.name, $1.times.settled(at: time)) }
    }
  }

  /// The thread that takes from a wire has an item to work on.
  func noteWork(on index: Int, _ state: inout State) {
    guard state.queues[index].times.isIdle else { return }
    state.queues[index].times.endIdle(at: log.active.now)
  }

  /// The end of a wire's stream has arrived where the wire leads, or nothing more is taken there.
  func noteRest(on index: Int, _ state: inout State) {
    state.queues[index].times.beginIdle(at: log.active.now)
  }
}
