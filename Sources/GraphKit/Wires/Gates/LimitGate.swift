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

  /// How long the session lasts from a sample's time on, which may start it; `nil` where it isn't known
  /// when it began.
  func rest(after time: Int64, starts: Bool) -> Int64? {
    let first = start ?? (starts ? time : nil)
    return first.map { duration.subtractingClamped(time.subtractingClamped($0)) }
  }
}

/// The limit of one sink's session, shared by the wires that end with it.
final class SessionLimit: Sendable {
  private let clock: Monitor<LimitClock>

  init(_ duration: MediaTime) { clock = Monitor(LimitClock(duration.nanosecondsClamped)) }

  /// Changes what is known; those that wait look again with ``wake()``.
  fileprivate func change(_ body: (inout LimitClock) -> Void) { clock.withLock(body) }

  fileprivate func wake() { clock.wakeAll() }

  /// Waits until it is known whether a sample is beyond the end. Audio that runs ahead of the first
  /// frame waits once it could be: how far it gets must not depend on which thread is faster.
  fileprivate func waitUntilDecided(_ time: Int64, until end: Int64) {
    clock.withLock { clock in
      clock.note(time)
      while clock.isOpen(end) { self.clock.wait(&clock) }
    }
  }

  fileprivate func isReached(by time: Int64) -> Bool { clock.withLock { $0.isReached(by: time) } }

  fileprivate func rest(after time: Int64, starts: Bool) -> Int64? {
    clock.withLock { $0.rest(after: time, starts: starts) }
  }
}

/// What ends a wire where the sessions of all sinks do that it leads to. It is where samples leave their
/// source, or after the fork where the ways to sinks part: since raw samples can be cut anywhere and
/// encoded ones can't, as early as possible.
struct LimitGate: Sendable {
  /// What the wire has to do with a session.
  struct Role: Hashable, Sendable {
    /// Whether the session is counted from its first sample.
    var starts = false
    /// Whether its samples wait where it isn't known yet on which side of the limit they are.
    var waits = false
  }

  /// A session that the wire ends with.
  struct Session: Sendable {
    var limit: SessionLimit
    var role: Role
  }

  /// How the times of samples differ from those at which they are presented, in nanoseconds.
  struct Shift: Hashable, Sendable {
    /// How long before the first that is presented they begin.
    var lead: Int64 = 0
    /// How much later they are than what they encode.
    var lag: Int64 = 0
  }

  private let sessions: [Session]
  private let wire: String
  private let shift: Shift
  /// Whether samples end with the session, as texts can, which may be shown for long.
  private let isCut: Bool
  /// How long after its decoding the first sample is presented.
  private var delay: Int64 = 0
  private var hasBegun = false

  init(_ sessions: [Session], wire: String, shift: Shift = Shift(), isCut: Bool = false) {
    (self.sessions, self.wire, self.shift, self.isCut) = (sessions, wire, shift, isCut)
    changeStarted { $0.add(starter: wire) }
  }

  /// Changes what is known of the sessions that the wire starts; whether there are any.
  @discardableResult
  private func changeStarted(_ body: (inout LimitClock) -> Void) -> Bool {
    var isStarter = false
    for session in sessions where session.role.starts {
      session.limit.change(body)
      isStarter = true
    }
    return isStarter
  }

  /// The time by which a sample is before or after the session's end, in the running time that
  /// begins at `origin`: frames that are presented in another order are cut in that of decoding, as
  /// many as are presented until then.
  mutating func runningTime(presentation: Int64?, decode: Int64?, origin: Int64) -> Int64? {
    guard let presentation, let decode else {
      let time = (presentation ?? decode)?.subtractingClamped(origin)
      return time?.subtractingClamped(shift.lag)
    }
    if !hasBegun { delay = presentation.subtractingClamped(decode) }
    let time = decode.addingClamped(delay)
    return time < 0 ? nil : time.subtractingClamped(origin).subtractingClamped(shift.lag)
  }

  /// Waits until it is known whether a sample of some length is beyond the limit, where that matters.
  /// Not inside a lock: other wires of the group may share the limit.
  func waitUntilDecided(_ runningTime: Int64?, lasting length: UInt64?) {
    guard let runningTime else { return }
    let last = isCut ? runningTime.addingClamped(Int64(clamping: length ?? 0)) : runningTime
    for session in sessions where session.role.waits {
      session.limit.waitUntilDecided(runningTime, until: last)
    }
  }

  /// How much of a sample of some length lies before the end of all sessions, where it can be cut.
  func presented(of length: UInt64?, from runningTime: Int64?) -> UInt64? {
    guard isCut, let length, let runningTime else { return length }
    let rests = sessions.map { $0.limit.rest(after: runningTime, starts: $0.role.starts) }
    guard let most = rests.max(by: { ($0 ?? .max) < ($1 ?? .max) }) ?? nil else { return length }
    return min(length, UInt64(max(0, most)))
  }

  /// Whether a sample begins where all sessions have ended.
  func isReached(by runningTime: Int64?) -> Bool {
    guard let runningTime else { return false }
    return sessions.allSatisfy { $0.limit.isReached(by: runningTime) }
  }

  /// The first sample is on the wire, at its time of decoding. Whether a limit depends on that:
  /// then ``wake()`` is to be called.
  mutating func begin(at first: Int64) -> Bool {
    hasBegun = true
    let start = first.addingClamped(delay).addingClamped(shift.lead)
    // A live wire waits for no other, but a session whose starters never come begins with it.
    for session in sessions where !session.role.starts {
      session.limit.change { $0.note(start) }
    }
    return changeStarted { $0.begin(at: start) }
  }

  /// No more samples come on the wire. Whether a limit depends on that: then ``wake()`` is to be
  /// called.
  func finish() -> Bool { changeStarted { $0.end(starter: wire) } }

  /// Releases the threads that wait, with a pipeline that stops; or makes them wait again. After it
  /// ``wake()`` is to be called.
  func release(_ isReleased: Bool) {
    for session in sessions { session.limit.change { $0.isReleased = isReleased } }
  }

  /// Has the threads that wait look again. Outside of locks.
  func wake() { for session in sessions { session.limit.wake() } }
}
