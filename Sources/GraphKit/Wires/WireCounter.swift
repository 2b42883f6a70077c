import Synchronization

/// How many samples passed a wire that holds none: written by one thread, read by any.
final class WireCounter: Sendable {
  private let count = Atomic<Int>(0)
  private let failed = Atomic<Int>(0)
  private let unwritten = Atomic<Int>(0)
  private let unread = Atomic<Int>(0)

  func add() {
    count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  func addFailed() {
    failed.store(failed.load(ordering: .relaxed) + 1, ordering: .relaxed)
  }

  /// Books samples that got through and aren't in the file that was written of them.
  func bookUnwritten(_ count: Int) { unwritten.store(count, ordering: .relaxed) }

  /// Books samples that the source's file has and that didn't get onto the wire.
  func bookUnread(_ count: Int) { unread.add(count, ordering: .relaxed) }

  var ledger: WireLedger {
    var ledger = WireLedger()
    ledger.samplesIn = count.load(ordering: .relaxed)
    let lost = failed.load(ordering: .relaxed)
    ledger.samplesOut = ledger.samplesIn - lost
    if lost > 0 { ledger.dropped[DropReason.runEnded.rawValue] = lost }
    ledger.bookUnwritten(unwritten.load(ordering: .relaxed))
    ledger.bookUnread(unread.load(ordering: .relaxed))
    return ledger
  }

  var samples: Int { count.load(ordering: .relaxed) }
}
