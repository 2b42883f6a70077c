import Synchronization

/// How many samples passed a wire that holds none: written by one thread, read by any.
final class WireCounter: Sendable {
  private let count = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)
  /// What was booked after the run.
  private let losses = Mutex<[DropReason: Int]>([:])

  func add() {
    count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  func addFailed() {
    failed.store(failed.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Books samples as dropped that were lost before the wire, or after it.
  func book(_ reason: DropReason, count: Int) {
    losses.withLock { $0[reason, default: 0] += count }
  }

  var ledger: WireLedger {
    var ledger = WireLedger()
    ledger.samplesIn = count.load(ordering: .relaxed)
    let lost = failed.load(ordering: .relaxed)
    ledger.samplesOut = ledger.samplesIn - lost
    if lost > 0 { ledger.dropped[DropReason.runEnded.rawValue] = lost }
    for (reason, count) in losses.withLock({ $0 }) { ledger.book(reason, count: count) }
    return ledger
  }

  var samples: Int { count.load(ordering: .relaxed) }
}
