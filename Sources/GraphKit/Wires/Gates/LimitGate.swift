import GraphKitSystem

/// How long the session of a sink lasts, and which samples of the sources are beyond it: a pure
/// state machine over the sources' wires. Times are nanoseconds.
///
/// It counts from the first frame where the sink takes video, else from the first sample.
struct LimitClock: Sendable {
  private let duration: Int64
  private var start: Int64?
  /// The wires of the kind that starts the session which may still do so.
  private var starters: Set<String> = []
  /// The earliest sample of the others: the start where no starter ever has one.
  private var firstOther: Int64?
  /// The pipeline is stopping: no thread waits.
  var isReleased = false

  init(_ duration: Int64) { self.duration = duration }

  /// A wire whose first sample may start the session.
  mutating func add(starter wire: String) { starters.insert(wire) }

  /// A sample of the kind that starts the session has come.
  mutating func begin(at time: Int64) {
    // Half of the range is left for what is compared with it.
    start = min(start ?? time, time, .max / 2)
  }

  /// A wire that may start the session has ended.
  mutating func end(starter wire: String) {
    starters.remove(wire)
    if starters.isEmpty { start = start ?? firstOther }
  }

  /// A sample of another kind has come.
  mutating func note(_ time: Int64) {
    firstOther = min(firstOther ?? time, time)
    if starters.isEmpty { start = start ?? firstOther }
  }

  /// Whether it isn't known yet whether a sample is beyond the end.
  func isOpen(_ time: Int64) -> Bool {
    start == nil && !isReleased && time.addingClamped(1000) >= duration
  }

  /// Whether a sample at a time is beyond the end.
  func isReached(by time: Int64) -> Bool {
    guard let start else { return false }
    // The time of a frame may have been rounded down.
    return time.subtractingClamped(start) >= duration - 1000
  }
}

/// The limit of one sink's session, shared by the sources' wires that lead to it.
final class SessionLimit: Sendable {
  private let clock: Monitor<LimitClock>

  init(_ duration: MediaTime) { clock = Monitor(LimitClock(duration.nanosecondsClamped)) }

  /// Changes what is known; those that wait look again with ``wake()``.
  fileprivate func change(_ body: (inout LimitClock) -> Void) { clock.withLock(body) }

  fileprivate func wake() { clock.wakeAll() }

  /// Waits until it is known whether a sample is beyond the end. Audio that runs ahead of the first
  /// frame waits once it could be: how far it gets must not depend on which thread is faster.
  fileprivate func waitUntilDecided(_ time: Int64) {
    clock.withLock { clock in
      clock.note(time)
      while clock.isOpen(time) { self.clock.wait(&clock) }
    }
  }

  fileprivate func isReached(by time: Int64) -> Bool { clock.withLock { $0.isReached(by: time) } }
}

/// What ends a source's wire where a sink's session does. It is where samples leave their source,
/// since raw samples can be cut anywhere and encoded ones can't.
struct LimitGate: Sendable {
  /// What the wire has to do with the session.
  struct Role: Hashable, Sendable {
    /// Whether the session is counted from its first sample.
    var starts = false
    /// Whether its samples wait where it isn't known yet on which side of the limit they are.
    var waits = false
    /// How long before the first sample that is presented its samples begin, in nanoseconds.
    var lead: Int64 = 0
  }

  private let limit: SessionLimit
  private let wire: String
  private let role: Role
  /// How long after its decoding the first sample is presented.
  private var delay: Int64 = 0
  private var hasBegun = false

  init(_ limit: SessionLimit, wire: String, _ role: Role) {
    (self.limit, self.wire, self.role) = (limit, wire, role)
    if role.starts { limit.change { $0.add(starter: wire) } }
  }

  /// The time by which a sample is before or after the session's end, in the running time that
  /// begins at `origin`: frames that are presented in another order are cut in that of decoding, as
  /// many as are presented until then.
  mutating func runningTime(presentation: Int64?, decode: Int64?, origin: Int64) -> Int64? {
    guard let presentation, let decode else {
      return (presentation ?? decode)?.subtractingClamped(origin)
    }
    if !hasBegun { delay = presentation.subtractingClamped(decode) }
    let time = decode.addingClamped(delay)
    return time < 0 ? nil : time.subtractingClamped(origin)
  }

  /// Waits until it is known whether a sample is beyond the limit, where that matters. Not inside a
  /// lock: wires that share a limit are in groups of their own.
  func waitUntilDecided(_ runningTime: Int64?) {
    if role.waits, let runningTime { limit.waitUntilDecided(runningTime) }
  }

  /// Whether a sample begins where the session has ended.
  func isReached(by runningTime: Int64?) -> Bool { runningTime.map(limit.isReached) ?? false }

  /// The first sample is on the wire, at its time of decoding. Whether the limit depends on that:
  /// then ``wake()`` is to be called.
  mutating func begin(at first: Int64) -> Bool {
    hasBegun = true
    guard role.starts else { return false }
    let start = first.addingClamped(delay).addingClamped(role.lead)
    limit.change { $0.begin(at: start) }
    return true
  }

  /// No more samples come on the wire. Whether the limit depends on that: then ``wake()`` is to be
  /// called.
  func finish() -> Bool {
    if role.starts { limit.change { $0.end(starter: wire) } }
    return role.starts
  }

  /// Releases the threads that wait, with a pipeline that stops; or makes them wait again. After it
  /// ``wake()`` is to be called.
  func release(_ isReleased: Bool) { limit.change { $0.isReleased = isReleased } }

  /// Has the threads that wait look again. Outside of locks.
  func wake() { limit.wake() }
}
