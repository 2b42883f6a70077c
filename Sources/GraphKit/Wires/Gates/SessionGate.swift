/// What a wire has to do with the start of its sink's session.
enum SessionRole: Hashable, Sendable {
  case none
  /// Its first sample starts the session: video.
  case starts
  /// It waits for the start, and what ends before it is left out: audio beside video. A live one
  /// gives up its oldest samples rather than the newest while it waits.
  case waits(isLive: Bool)
  /// It waits for the start, which an encoder may be long in coming to, and none of it is left out: audio
  /// of files beside video.
  case waitsWhole
}

/// Which samples of a sink's inputs belong to its session, which starts at the first video sample of
/// any: a pure state machine over all inputs of one sink.
///
/// Samples of audio are held until that is known, and those that end before it are dropped. Times
/// are nanoseconds.
struct SessionGate: Sendable {
  /// What is known of one input.
  struct Input: Hashable, Sendable {
    var role = SessionRole.none
    /// Whether it carries a file's packets into another, where some are only there to be decoded
    /// before the first that is presented.
    var copies = false
    fileprivate var first: Int64?
    fileprivate var isFinished = false
    /// No sample has left since the input began to wait for the session.
    fileprivate var isBefore = true
    /// How much of it was left out since then.
    fileprivate var lost: Int64 = 0

    init(_ role: SessionRole = .none, copies: Bool = false) {
      (self.role, self.copies) = (role, copies)
    }
  }

  /// What an input holds first.
  enum Next: Hashable, Sendable {
    case nothing, event
    /// The end of the stream.
    case end
    /// A sample; it ends at no known time where that is `nil`.
    case sample(end: Int64?, duration: Int64)
  }

  /// What becomes of that.
  enum Verdict: Hashable, Sendable {
    /// It stays where it is.
    case wait
    /// It isn't part of the session.
    case drop
    /// It may leave. So much of the input was left out before, and it wasn't reported yet.
    case take(lost: Int64)
  }

  private var inputs: [Input]

  init(_ inputs: [Input]) { self.inputs = inputs }

  /// The first sample has come on an input.
  mutating func begin(_ index: Int, at time: Int64) {
    inputs[index].first = inputs[index].first ?? time
  }

  /// No more samples come on an input.
  mutating func finish(_ index: Int) { inputs[index].isFinished = true }

  /// Whether samples of an input start the session.
  func isStarter(_ index: Int) -> Bool { inputs[index].role == .starts }

  /// When the session starts; `nil` before that is known, and where it never will be.
  var start: Int64? { inputs.lazy.filter { $0.role == .starts }.compactMap(\.first).min() }

  /// Whether frames may still come and none has.
  var isAwaited: Bool {
    start == nil && inputs.contains { $0.role == .starts && !$0.isFinished }
  }

  /// Whether an input waits for the session with what it holds first.
  func holds(_ next: Next, on index: Int) -> Bool {
    inputs[index].isWaiting && next != .event && next != .end && isAwaited
  }

  /// Whether an input that is full gives up its oldest sample, for the newest.
  func givesUpOldest(on index: Int) -> Bool {
    inputs[index].role == .waits(isLive: true) && isAwaited
  }

  /// What becomes of what an input holds first.
  mutating func verdict(on index: Int, _ next: Next) -> Verdict {
    guard inputs[index].isWaiting else { return .take(lost: 0) }
    if next == .event { return .take(lost: 0) }
    if next == .end { return .take(lost: inputs[index].takeLoss()) }
    if isAwaited { return .wait }
    if inputs[index].role == .waitsWhole {
      inputs[index].isBefore = false
      return .take(lost: 0)
    }
    if let start, case .sample(let end, let duration) = next {
      if inputs[index].isBefore(start, end: end, duration: duration) {
        inputs[index].lost = inputs[index].lost.addingClamped(duration)
        return .drop
      }
    } else if start != nil {
      return .take(lost: 0)
    }
    inputs[index].isBefore = false
    return .take(lost: inputs[index].takeLoss())
  }
}

extension SessionGate.Input {
  fileprivate var isWaiting: Bool {
    switch role {
    case .none, .starts: false
    case .waits, .waitsWhole: isBefore
    }
  }

  /// Whether a sample is left out of a session.
  fileprivate func isBefore(_ start: Int64, end: Int64?, duration: Int64) -> Bool {
    // Packets before the beginning of a copied stream are needed to decode its first.
    guard let end, !copies || start > 0 else { return false }
    // To decode the first that is heard, the one before it is needed, too.
    return end.addingClamped(copies ? duration : 0) <= start
  }

  /// How much was left out of a file; what is given up of a live input is no news.
  fileprivate mutating func takeLoss() -> Int64 {
    defer { lost = 0 }
    return role == .waits(isLive: false) ? lost : 0
  }
}
