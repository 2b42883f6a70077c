/// How fast a batch goes that other processes run, by what was left when it was looked at first.
package struct BatchPace: Sendable {
  private let start = ContinuousClock.now
  private var first: Double?

  package init() {}

  /// Seconds since the first look.
  package var seconds: Double { start.secondsUntilNow }

  /// How far it is now.
  package mutating func progress(_ account: BatchAccount) -> BatchProgress {
    let first = first ?? account.leftCost
    self.first = first
    let done = first - account.leftCost
    return BatchProgress(
      count: account.count, done: account.done + account.skipped, failed: account.failed,
      left: account.left, seconds: seconds,
      secondsLeft: done > 0 && account.left > 0 ? seconds * account.leftCost / done : nil)
  }
}
