import GraphKit
import GraphKitSystem

/// What a recorder and its inputs share: the state machine, and which samples are in the movie.
///
/// A part of the movie begins with the first picture after it was asked for, and ends where the newest
/// picture ends when it is halted, so that pictures follow each other evenly: what comes later of the
/// other inputs' samples of that time is still in it. Where another input is further by then, it ends
/// with what the movie has of that, and the last picture is shown for so much longer.
///
/// Where no picture comes for ten seconds, the other inputs' samples do as well: a camera that is gone
/// costs its video, and not what the microphone hears.
final class RecorderCore: Sendable {
  typealias State = MovieRecorder.State

  struct Inner {
    var state = State.idle
    /// Whether a part begins with the next picture.
    var isWanted = false
    /// The input whose samples begin parts, by its number.
    var leader: Int?
    /// When the newest picture ends, or another sample while there are no pictures.
    var newest: MediaTime?
    /// Since when no picture has come, by the times of other samples.
    var quietSince: MediaTime?
    /// Where the movie begins in what was kept for the pre-roll, but for the way to a key frame; `nil`
    /// until it is known.
    var kept: MediaTime?
    var error: (any Error)?
    var watchers: [AsyncStream<State>.Continuation] = []
  }

  /// What becomes of a sample that comes now.
  enum Admission {
    /// The writer's session says what of it is in the movie.
    case cut
    /// That isn't known yet.
    case hold
    /// Nothing of it.
    case omit
  }

  /// How long other samples wait for the picture with which a recording begins.
  static let longestWait = MediaTime(value: 10, timescale: 1)

  let writer: AssetWriter
  /// How much of what comes before the recording is kept.
  private let preRoll: MediaTime
  private var hasPreRoll: Bool { preRoll > .zero }
  private let inner = Monitor(Inner())

  init(_ writer: AssetWriter, preRoll: MediaTime) {
    (self.writer, self.preRoll) = (writer, preRoll)
  }

  // MARK: States

  var state: State { inner.withLock { $0.state } }

  var error: (any Error)? { inner.withLock { $0.error } }

  /// The state, and each that follows.
  var states: AsyncStream<State> {
    AsyncStream { continuation in
      inner.withLock { inner in
        continuation.yield(inner.state)
        if inner.state.isEnd { continuation.finish() } else { inner.watchers.append(continuation) }
      }
    }
  }

  /// Goes to another state from some. Throws where it is in none of those.
  func go(
    to next: State, from states: [State], _ remedy: String,
    _ body: (inout Inner) throws -> Void = { _ in }
  ) throws {
    try inner.withLock { inner in
      guard states.contains(inner.state) else {
        throw inner.error ?? NodeError("the recorder is \(inner.state.rawValue)", remedy: remedy)
      }
      try body(&inner)
      inner.go(to: next)
    }
  }

  /// Ends in a state, unless it has ended already.
  func conclude(_ state: State, _ error: (any Error)? = nil) {
    inner.withLock { inner in
      guard !inner.state.isEnd else { return }
      inner.error = error
      inner.go(to: state)
    }
  }

  /// Ends as failed where what writes has ended by itself.
  func conclude(_ report: Report) {
    inner.withLock { inner in
      guard !inner.state.isEnd, inner.state != .finishing else { return }
      inner.error = RunError(report: report)
      inner.go(to: .failed)
    }
  }

  // MARK: Parts

  /// Has a part begin with the next picture. Where there is a pre-roll, it has begun.
  func want() throws {
    let remedy = "call `record()` after `prepare()` or `pause()`"
    try inner.withLock { inner in
      guard inner.state == .preparing || inner.state == .paused else {
        throw inner.error ?? NodeError("the recorder is \(inner.state.rawValue)", remedy: remedy)
      }
      inner.isWanted = true
      if inner.state == .paused || !hasPreRoll { inner.quietSince = nil }
      guard hasPreRoll, inner.state == .preparing else { return }
      inner.kept = inner.newest.map { $0 - preRoll }
      if session.isOpen { inner.go(to: .recording) }
    }
  }

  /// Ends the part, or takes the wish to record back where no picture has come since.
  func halt() throws {
    let isTakenBack = inner.withLock { inner in
      guard inner.isWanted, !hasPreRoll, [.preparing, .paused].contains(inner.state) else {
        return false
      }
      inner.isWanted = false
      return true
    }
    if isTakenBack { return }
    try go(to: .paused, from: [.recording], "call `pause()` while it records") { inner in
      inner.isWanted = false
      guard let part = session.parts.last else { return }
      let least = part.start + MediaTime(value: 1, timescale: 1_000)
      let reached = writer.core.state.withLock { $0.receivers }.map { $0.reach + part.shift }
      let end = reached.reduce(max(inner.newest ?? part.start, least), max)
      writer.core.state.withLock { $0.session.end(at: end) }
    }
  }

  private var session: WriterSession { writer.core.state.withLock { $0.session } }

  /// How long the movie is so far.
  var duration: MediaTime {
    let (inner, session) = (inner.withLock { $0 }, session)
    guard inner.isWanted || inner.state != .preparing, let first = session.parts.first,
      let part = session.parts.last, let end = part.end ?? inner.newest
    else { return .zero }
    let omitted = inner.kept.map { max(.zero, $0 - first.start) } ?? .zero
    return max(.zero, part.movieTime(end) - omitted)
  }

  /// Says which input's samples begin parts.
  func lead(by number: Int) { inner.withLock { $0.leader = number } }

  /// What becomes of a sample from `start` to `end`, by its own times.
  func admit(_ number: Int, isVideo: Bool, from start: MediaTime, to end: MediaTime) throws
    -> Admission
  {
    try inner.withLock { inner in
      switch inner.state {
      case .preparing, .recording, .paused: break
      // A device goes on for a moment.
      case .finishing, .finished, .cancelled: return .omit
      case .idle, .failed:
        throw inner.error
          ?? NodeError(
            "the recorder isn't prepared", remedy: "call `prepare()` before samples come")
      }
      if number == inner.leader {
        inner.quietSince = end
        lead(from: start, to: end, &inner)
      } else if let first = quietSince(start, &inner), start - first >= Self.longestWait {
        lead(from: max(first, session.parts.last?.end ?? first), to: end, &inner)
      }
      let session = session
      if session.isOpen { return .cut }
      guard let last = session.parts.last?.end, start < last else { return isVideo ? .omit : .hold }
      return isVideo || end <= last ? .cut : .hold
    }
  }

  private func lead(from start: MediaTime, to end: MediaTime, _ inner: inout Inner) {
    inner.newest = max(inner.newest ?? end, end)
    beginIfWanted(at: start, &inner)
  }

  /// Since when no picture has come that is wanted, where this sample has come now that isn't one.
  private func quietSince(_ time: MediaTime, _ inner: inout Inner) -> MediaTime? {
    guard inner.isWanted || hasPreRoll && inner.state == .preparing else { return nil }
    let first = inner.quietSince ?? time
    inner.quietSince = first
    return first
  }

  private func beginIfWanted(at time: MediaTime, _ inner: inout Inner) {
    let isKept = hasPreRoll && inner.state == .preparing
    guard inner.isWanted || isKept, inner.state != .recording else { return }
    let begins = writer.core.state.withLock { state in
      guard !state.session.isOpen, state.session.parts.last?.end.map({ $0 <= time }) ?? true else {
        return false
      }
      state.session.begin(at: time)
      return true
    }
    if begins, inner.isWanted { inner.go(to: .recording) }
  }
}

extension RecorderCore.Inner {
  fileprivate mutating func go(to next: MovieRecorder.State) {
    guard next != state else { return }
    state = next
    for watcher in watchers {
      watcher.yield(next)
      if next.isEnd { watcher.finish() }
    }
    if next.isEnd { watchers = [] }
  }
}
