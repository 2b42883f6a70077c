import GraphKit

/// When a connection is opened anew: a pure state machine over seconds.
struct Reconnection {
  let startTimeout: Double
  let reconnectTimeout: Double
  /// Since when nothing comes.
  private(set) var since: Double
  /// When the connection was lost; before the first, when the waiting began.
  private var lost: Double
  /// Whether something has ever come.
  private(set) var hasConnected = false
  private var wait = Self.firstWait
  /// When the next connection is opened.
  private(set) var nextOpening: Double

  private static let firstWait = 0.25
  private static let longestWait = 5.0

  init(startTimeout: Double, reconnectTimeout: Double, now: Double) {
    (self.startTimeout, self.reconnectTimeout) = (startTimeout, reconnectTimeout)
    (since, lost, nextOpening) = (now, now, now)
  }

  /// When it is given up.
  var limit: Double { lost + (hasConnected ? reconnectTimeout : startTimeout) }

  /// Samples come; returns for how long they didn't, where some had come before.
  mutating func connect(at now: Double) -> Double? {
    defer { (hasConnected, wait) = (true, Self.firstWait) }
    return hasConnected ? now - since : nil
  }

  /// Nothing came any more from `since` on.
  mutating func lose(since: Double, at now: Double) {
    (self.since, lost) = (since, now)
    schedule(now)
  }

  /// A connection brought nothing.
  mutating func refuse(at now: Double) { schedule(now) }

  /// The run was paused for so many seconds, which don't count.
  mutating func skip(_ seconds: Double) {
    since += seconds
    lost += seconds
  }

  private mutating func schedule(_ now: Double) {
    nextOpening = now + wait
    wait = min(2 * wait, Self.longestWait)
  }
}
