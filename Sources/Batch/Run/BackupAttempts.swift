/// Which items are begun once more while an attempt of theirs still runs: those that take much longer
/// than the others did, on a disk that is failing, say, or beside a program that takes a core for
/// itself. Whichever attempt ends first counts. Pure: it reads no clock.
package struct BackupAttempts {
  /// How many times longer than expected an attempt has to take, and how many seconds besides.
  package static let factor = 2.0, slack = 1.0

  /// The items that have had theirs.
  private var begun: Set<String> = []
  /// What the attempts that have ended were expected to take, and what they took.
  private var expected = 0.0
  private var taken = 0.0

  package init() {}

  /// Takes note of an attempt that has ended well, after some seconds.
  package mutating func note(_ item: BatchItem, seconds: Double) {
    expected += item.cost
    taken += seconds
  }

  /// The item of those that run which is the furthest beyond what it was expected to take, each once;
  /// `nil` where none is too far, or nothing is known yet of how fast items are here.
  package mutating func next(
    among running: [(item: BatchItem, since: Double)], at time: Double
  ) -> BatchItem? {
    guard expected > 0 else { return nil }
    let late = running.map { attempt in
      let limit = Self.factor * attempt.item.cost * taken / expected + Self.slack
      return (item: attempt.item, excess: time - attempt.since - limit)
    }
    let candidates = late.filter {
      $0.excess > 0 && $0.item.pieces.isEmpty && !begun.contains($0.item.id)
    }
    guard let item = candidates.max(by: { $0.excess < $1.excess })?.item else { return nil }
    begun.insert(item.id)
    return item
  }
}
