/// The first so many entries of a log that has no end, and how many more there were.
struct FirstEntries<Entry: Sendable>: Sendable {
  /// How many are kept.
  let most: Int
  private(set) var first: [Entry] = []
  private(set) var more = 0

  init(most: Int) { self.most = most }

  mutating func add(_ entry: Entry) {
    if first.count < most { first.append(entry) } else { more += 1 }
  }

  /// The entries that a report has, of those that came and those that never did; and how many it leaves
  /// out, where it does.
  func kept(with waiting: [Entry] = []) -> (entries: [Entry], omitted: Int?) {
    let entries = Array((first + waiting).prefix(most))
    let omitted = more + first.count + waiting.count - entries.count
    return (entries, omitted > 0 ? omitted : nil)
  }
}
