import Synchronization

/// How many samples passed a wire that holds none, and up to which time: written by one thread, read by
/// any.
final class WireCounter: Sendable {
  private let count = Atomic<Int>(0)
  private let last = Atomic<Int64>(.min)
  private let ended = Atomic<Bool>(false)
  private let failed = Atomic<Int>(0)
  /// What was booked after the run.
  private let losses = Mutex<[DropReason: Int]>([:])

  /// Counts a sample that begins so many nanoseconds into the run, where it says when.
  func add(at time: Int64?) {
    count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
    if let time, time > last.load(ordering: .relaxed) { last.store(time, ordering: .relaxed) }
  }

  /// No sample follows.
  func end() { ended.store(true, ordering: .relaxed) }

  /// Whether the last sample has passed.
  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// The latest time at which a sample began, in nanoseconds; `nil` before there was one.
  var time: Int64? {
    let time = last.load(ordering: .relaxed)
    return time == .min ? nil : time
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
