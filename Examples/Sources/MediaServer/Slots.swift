import Hummingbird
import Metrics
import Synchronization

/// The places for graphs that run at a time.
final class Slots: Sendable {
  private let free: Mutex<Int>
  private let refused = Counter(label: "media.jobs.refused")
  private let active = Meter(label: "media.jobs.active")
  fileprivate let durations = Timer(label: "media.jobs.duration")

  init(_ count: Int) { free = Mutex(count) }

  /// Takes a place, which is given back when what is returned is. Throws 503 where there is none.
  func take() throws -> Slot {
    let isFree = free.withLock { free in
      guard free > 0 else { return false }
      free -= 1
      return true
    }
    guard isFree else {
      refused.increment()
      throw HTTPError(
        .serviceUnavailable, headers: [.retryAfter: "1"], message: "all places are taken")
    }
    active.increment()
    return Slot(self)
  }

  fileprivate func giveBack() {
    free.withLock { $0 += 1 }
    active.decrement()
  }
}

/// A place that was taken, for as long as anyone holds this.
final class Slot: Sendable {
  private let slots: Slots
  private let start = ContinuousClock.now
  fileprivate init(_ slots: Slots) { self.slots = slots }

  deinit {
    slots.durations.record(duration: .now - start)
    slots.giveBack()
  }
}
