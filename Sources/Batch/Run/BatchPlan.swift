import GStreamer
import GraphKit
import GraphKitSystem

/// A batch's plan in its folder: made, and made anew where files have changed since.
package enum BatchPlan {
  /// Writes the plan of a batch. The records of items that are as they were stay; those of others go.
  package static func write(
    _ description: BatchDescription, graph: [UInt8], _ items: [BatchItem], in folder: BatchFolder
  ) throws(BatchError) {
    let tasks = BatchTask.bundle(items, seconds: description.taskMinutes * 60)
    try folder.write(description, graph: graph, items, tasks)
    folder.removeAll(but: items)
  }

  /// The items of a batch as their files are now.
  package static func renewed(
    _ description: BatchDescription, _ job: BatchJob, in folder: BatchFolder
  ) throws(BatchError) -> [BatchItem] {
    let former = try folder.items()
    let items = try BatchPlanner.plan(
      former.filter { $0.piece == nil }.map(\.listed), job,
      pieces: BatchPlanner.Pieces(description.pieces, in: folder),
      owned: Set(former.flatMap(\.outputs)), replaces: description.overwrites,
      secondsPerByte: folder.records.secondsPerByte(of: former))
    if items.map(\.id) != former.map(\.id) {
      let tasks = BatchTask.bundle(items, seconds: description.taskMinutes * 60)
      try folder.write(items, tasks)
      folder.removeAll(but: items)
    }
    return items
  }

  /// Removes a batch's folder, and what attempts have left beside the outputs, which stay.
  package static func remove(_ folder: BatchFolder) throws(BatchError) {
    let items = try folder.items()
    let names = Set(items.map(\.id))
    StagedOutputs.sweep(beside: items.flatMap(\.outputs), isOver: names.contains)
    folder.remove()
  }

  /// Writes what became of a batch's items.
  package static func summarize(
    _ account: BatchAccount, in folder: BatchFolder
  ) throws(BatchError) {
    try folder.write(Array(account.json.utf8), to: BatchFolder.summaryName)
  }
}

extension BatchFolder {
  /// Removes the records and parts of items that are none of these: their files have changed since.
  fileprivate func removeAll(but items: [BatchItem]) {
    records.removeAll(but: Set(items.map(\.id)))
    removeParts(but: Set(items.filter { !$0.pieces.isEmpty }.map(\.id)))
  }
}

extension BatchRecords {
  /// How long items took, by a few that are done; `nil` where none is.
  package func secondsPerByte(of items: [BatchItem]) -> Double? {
    var (seconds, bytes) = (0.0, 0)
    for item in items.lazy.filter({ $0.pieces.isEmpty && isDone($0.id) }).prefix(100) {
      guard let record = done(item.id) else { continue }
      seconds += record.seconds
      bytes += item.size
    }
    return bytes > 0 ? seconds / Double(bytes) : nil
  }
}
