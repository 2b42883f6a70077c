/// Long files whose pieces are done by and by, and which of them can be put together.
struct PieceMerges {
  private let records: BatchRecords
  private var waiting: [BatchItem] = []
  /// Whether a piece has come since the last look.
  private var isDue = true
  private var lost: [String] = []

  init(_ items: [BatchItem], _ records: BatchRecords) {
    self.records = records
    waiting = items.filter { !records.isDone($0.id) }
  }

  /// One more file whose pieces are waited for.
  mutating func add(_ item: BatchItem) {
    waiting.append(item)
    isDue = true
  }

  /// A piece is done: the next look is worth it.
  mutating func look() { isDue = true }

  /// The files of which all pieces are there, each once. What a piece has made is read before it is
  /// relied on; pieces that aren't as they were are lost.
  mutating func takeReady() -> [BatchItem] {
    guard isDue, !waiting.isEmpty else { return [] }
    isDue = false
    var ready: [BatchItem] = []
    for item in waiting where item.pieces.allSatisfy(records.isDone) {
      let damaged = item.pieces.filter { !records.confirm($0, verifies: true) }
      lost += damaged
      if damaged.isEmpty { ready.append(item) }
    }
    waiting.removeAll { item in ready.contains { $0.id == item.id } }
    return ready
  }

  /// The names of pieces that were done, and have to be done again.
  mutating func takeLost() -> [String] {
    defer { lost = [] }
    return lost
  }
}
