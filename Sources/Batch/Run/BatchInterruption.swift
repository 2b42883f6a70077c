import Synchronization

/// Signals that ask a batch to end: with the first it finishes what runs, with the second it ends.
package final class BatchInterruption: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// One more signal has come.
  package func hear() { count.add(1, ordering: .relaxed) }

  /// Whether nothing more is to be begun.
  package var hasCome: Bool { count.load(ordering: .relaxed) > 0 }

  /// Whether what runs is to be given up, too.
  package var isUrgent: Bool { count.load(ordering: .relaxed) > 1 }
}
