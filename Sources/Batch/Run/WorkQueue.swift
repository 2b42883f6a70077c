/// The items that are still to be done, in the order in which they are given out: the longest first,
/// and what failed once more after a pause. Pure: it reads no clock.
package struct WorkQueue {
  /// The attempts that an item gets.
  package static let attempts = 3
  /// The pauses before the second attempt and the third, in seconds.
  package static let pauses = [0.5, 2.0]

  /// Each with how long it and all before it may take together, since a supervisor asks for that after
  /// each item. The last is the next.
  private var ready: [(item: BatchItem, total: Double)] = []
  private var waiting: [(item: BatchItem, time: Double)] = []
  private var failures: [String: Int] = [:]

  /// A queue of some items, the longest first, or in the order in which they are given.
  package init(_ items: [BatchItem], keepsOrder: Bool = false) {
    let ordered =
      keepsOrder ? items.reversed() : items.sorted { ($0.cost, $1.id) < ($1.cost, $0.id) }
    for item in ordered { putBack(item) }
  }

  /// Whether nothing is left.
  package var isEmpty: Bool { ready.isEmpty && waiting.isEmpty }

  /// How many are left.
  package var count: Int { ready.count + waiting.count }

  /// How long those that are left may take together.
  package var cost: Double {
    (ready.last?.total ?? 0) + waiting.reduce(0) { $0 + $1.item.cost }
  }

  /// The next item; `nil` where there is none at this time, in seconds.
  package mutating func next(at time: Double) -> BatchItem? {
    if let index = waiting.firstIndex(where: { $0.time <= time }) {
      return waiting.remove(at: index).item
    }
    return ready.popLast()?.item
  }

  /// Whether there is an item at this time.
  package func hasNext(at time: Double) -> Bool {
    !ready.isEmpty || waiting.contains { $0.time <= time }
  }

  /// Takes back an item that no worker has begun.
  package mutating func putBack(_ item: BatchItem) {
    ready.append((item, (ready.last?.total ?? 0) + item.cost))
  }

  /// Takes note of an attempt that failed and may pass later; whether there will be another.
  package mutating func retry(_ item: BatchItem, at time: Double) -> Bool {
    let count = failures[item.id, default: 0]
    failures[item.id] = count + 1
    guard count < Self.pauses.count else { return false }
    waiting.append((item, time + Self.pauses[count]))
    return true
  }
}
