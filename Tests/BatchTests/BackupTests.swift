import Batch
import Foundation
import TestTools
import Testing

private func item(_ id: String, cost: Double = 1) -> BatchItem {
  BatchItem(
    id: id, input: "\(id).wav", size: 1, modified: 2, values: [:], outputs: ["\(id).dat"],
    cost: cost, place: "list:1")
}

/// What is begun once more while it runs.
@Suite(.inTurn) struct BackupAttemptsTests {
  @Test func nothingIsLateBeforeAnythingIsKnown() {
    var backups = BackupAttempts()
    let next = backups.next(among: [(item("a"), 0)], at: 1_000)
    #expect(next == nil)
  }

  /// Items take twice what was expected, so that one of 10 s may take 2 × 20 + 1.
  @Test(arguments: [(40.9, false), (41.1, true)])
  func whatTakesMuchLongerThanTheOthersIsBegunOnce(time: Double, isLate: Bool) {
    var backups = BackupAttempts()
    backups.note(item("a", cost: 3), seconds: 6)
    backups.note(item("b", cost: 1), seconds: 2)
    let running = [(item: item("long", cost: 10), since: 0.0)]
    let next = backups.next(among: running, at: time)
    #expect((next?.id == "long") == isLate)
    let again = backups.next(among: running, at: 1_000)
    #expect((again == nil) == isLate)
  }

  @Test func theLatestComesFirst() {
    var backups = BackupAttempts()
    backups.note(item("a"), seconds: 1)
    let running = [(item: item("b"), since: 20.0), (item: item("c"), since: 10.0)]
    var given: [String?] = []
    for _ in 0..<3 { given.append(backups.next(among: running, at: 100)?.id) }
    #expect(given == ["c", "b", nil])
  }
}

/// What a backup task does.
@Suite(.inTurn) struct BackupTaskTests {
  @Test func thereIsOneForEveryTenTasks() {
    #expect([1, 10, 11, 1_000].map(BackupTask.count) == [1, 1, 2, 100])
    #expect(BackupTask(number: 2, of: 2) == nil && BackupTask(number: -1, of: 2) == nil)
  }

  @Test func itDoesWhatIsLeftFromTheEnd() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: place) }
    let batch = BatchFolder(place.path)
    try batch.make()
    let items = (0..<6).map { item("\($0)a", cost: Double(10 - $0)) }
    let tasks = BatchTask.bundle(items, seconds: 18)
    #expect(tasks.map(\.items) == [["0a", "5a"], ["1a", "4a"], ["2a", "3a"]])
    for (id, count) in [("4a", 5), ("3a", 4)] {
      let folder = place.appending(path: "done/\(id)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: folder.appending(path: "\(id).json"))
      let first = try #require(BackupTask(number: 0, of: 2))
      #expect(first.items(of: tasks, items, batch.records).count == count)
    }
    let orders = (0..<2).map { number in
      BackupTask(number: number, of: 2)?.items(of: tasks, items, batch.records).map(\.id)
    }
    #expect(orders == [["2a", "1a", "5a", "0a"], ["5a", "0a", "2a", "1a"]])
  }

  @Test func aQueueKeepsTheOrderWhereItIsAskedTo() {
    var queue = WorkQueue([item("a", cost: 1), item("b", cost: 3)], keepsOrder: true)
    #expect(queue.next(at: 0)?.id == "a")
  }
}
