/// One of the tasks that do once more what is left near a batch's end, when every task has begun.
///
/// A task on a slow machine would hold up all. An array engine doesn't know how far a task is, but the
/// records say it: a backup task does all that isn't done, from the end of the batch where the tasks
/// began at the front, and each of several begins elsewhere. An item that two of them do at once has
/// one record all the same.
package struct BackupTask: Hashable, Sendable {
  /// The number, from 0, and how many there are.
  package var number: Int
  package var count: Int

  /// A backup task of some; `nil` where there is none of this number.
  package init?(number: Int, of count: Int) {
    guard (0..<count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// How many there are for some tasks: one for every ten that may be late.
  package static func count(for tasks: Int) -> Int { (tasks + 9) / 10 }

  /// The items that aren't done, in the order in which this task does them.
  package func items(
    of tasks: [BatchTask], _ all: [BatchItem], _ records: BatchRecords
  ) -> [BatchItem] {
    let names = records.doneNames
    let byName = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let left = tasks.reversed().flatMap { $0.items.reversed() }.compactMap { byName[$0] }.filter {
      !names.contains($0.id) && $0.piece.map { names.contains($0.item) } != true
    }
    let start = left.count * number / count
    return Array(left[start...] + left[..<start])
  }
}
