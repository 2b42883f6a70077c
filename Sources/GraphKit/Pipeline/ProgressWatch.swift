import GraphKitSystem

/// Watches whether a run gets anywhere: whether it has come to rest for some time, in which no
/// sample has moved and hardly any thread did anything. An encoder that has much to do may be long
/// with a frame.
struct ProgressWatch {
  /// When a run without progress counts as at rest. Times are in seconds.
  struct Rule: Hashable, Sendable {
    /// For how long nothing has moved.
    let time: Double
    /// From when on it is looked whether threads work.
    var firstLook = 0.0
    /// How much processor time a run may use meanwhile whose threads work; `nil` for any. What the
    /// process uses is taken for shared evenly by all that work in it.
    var mostProcessorTime: Double?
    /// After how long it doesn't matter what threads do; `nil` for never.
    var mostTime: Double?

    /// A run that is to end.
    static func rest(_ time: Double, most: Double? = nil) -> Rule {
      Rule(time: time, mostTime: most)
    }

    /// A run that is to go on. Where a thread of the process works, the time counts in processor
    /// time: other programs may have taken most of it.
    static func stall(_ timeout: Double) -> Rule {
      let time = min(timeout, longest)
      return Rule(
        time: time, firstLook: time / 2, mostProcessorTime: time, mostTime: mostTimeouts * time)
    }

    /// The longest wait, some thirty years; the clock can't count much longer.
    private static let longest = 1e9
    /// How many times the timeout a thread that works without a result has at most.
    private static let mostTimeouts = 10.0
  }

  let rule: Rule
  private var progress: Int?
  private var since = ContinuousClock.now
  private var cpuSeconds = 0.0
  private var looks = 0
  private var busyLooks = 0

  init(_ rule: Rule) { self.rule = rule }

  /// Begins anew.
  mutating func reset() { self = ProgressWatch(rule) }

  /// Takes how far the run is; whether it has come to rest.
  mutating func isAtRest(
    progress now: Int, at time: ContinuousClock.Instant = .now,
    cpuSeconds used: @autoclosure () -> Double = ProcessTime.cpuSeconds,
    sharers: Int = ProcessTime.sharers,
    isBusy: () -> Bool = { Machine.hasWorkingThread }
  ) -> Bool {
    guard now == progress else {
      reset()
      (progress, since, cpuSeconds) = (now, time, used())
      return false
    }
    let still = (time - since) / .seconds(1)
    guard still > rule.firstLook else { return false }
    looks += 1
    if isBusy() { busyLooks += 1 }
    if let most = rule.mostTime, still > most { return true }
    guard still > rule.time else { return false }
    guard busyLooks * 2 >= looks else { return true }
    guard let most = rule.mostProcessorTime else { return false }
    return used() - cpuSeconds > most * Double(sharers)
  }
}
