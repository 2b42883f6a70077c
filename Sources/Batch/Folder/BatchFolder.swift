import GraphKit
import GraphKitSystem

/// The folder that a batch is: the plan, the records, the workers' messages.
package struct BatchFolder: Sendable {
  /// Its path from the root.
  package let path: String

  package static let descriptionName = "batch.json"
  private static let itemsName = "items.jsonl"
  private static let tasksName = "tasks.jsonl"
  private static let graphName = "graph.json"
  private static let partsName = "parts"
  static let summaryName = "summary.json"
  private static let lockName = ".lock"
  private static let ownNames = [
    itemsName, tasksName, graphName, "done", "failed", partsName, "log", summaryName,
    "slurm.json", lockName, descriptionName,
  ]

  /// A folder, whether it is there or not.
  package init(_ path: String) {
    let isWhole = path.hasPrefix("/")
    self.path = (isWhole ? path : "\(Machine.workingFolder ?? ".")/\(path)").normalPath
  }

  /// The folder's name.
  package var name: String { path.lastPart }

  /// Whether a batch is in it.
  package var isBatch: Bool { File.exists(place(Self.descriptionName)) }

  /// Whether an account of it was written.
  package var isSummarized: Bool { File.exists(place(Self.summaryName)) }

  package var records: BatchRecords { BatchRecords(path) }
  package var logFolder: String { place("log") }

  /// The file that has what was made of a piece of an item: its name says of how many, so that one of
  /// another number of pieces is another file.
  package func part(_ number: Int, of count: Int, of item: String) -> String {
    place("\(Self.partsName)/\(item)/\(Self.digits(number + 1))-of-\(Self.digits(count)).part")
  }

  private static func digits(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
  }

  /// Removes the parts of items that are none of some.
  func removeParts(but items: Set<String>) {
    for name in Machine.names(in: place(Self.partsName)) where !items.contains(name) {
      File.removeAll(place("\(Self.partsName)/\(name)"))
    }
  }

  func place(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes the folder where there is none. Throws where another one has its name.
  package func make() throws(BatchError) {
    guard
      isBatch || (FolderEntry.all(in: path) ?? []).allSatisfy({ Self.ownNames.contains($0.name) })
    else {
      throw BatchError(
        .cannotCreate, path, "a folder that is no batch has that name",
        remedy: "give another name with --batch")
    }
    try attempt { () throws(File.Failure) in
      for folder in ["done", "failed", "log"] { try File.makeFolders(place(folder)) }
    }
  }

  /// Keeps other processes from running the batch, or changing its plan, until the result goes.
  package func locked() throws(BatchError) -> File {
    let path = place(Self.lockName)
    do throws(File.Failure) {
      if !File.exists(path) { _ = try? File(path, for: .creating) }
      let file = try File(path, for: .changing)
      try file.lock()
      return file
    } catch {
      guard error.isBusy else { throw failure(error) }
      throw BatchError(
        .inUse, self.path, "another process runs this batch",
        remedy: "wait for it, or end it: `graphctl batch status` shows how far it is")
    }
  }

  /// Whether another process runs the batch, or changes its plan.
  package var isLocked: Bool {
    guard let file = try? File(place(Self.lockName), for: .changing) else { return false }
    return (try? file.lock()) == nil
  }

  /// Writes the plan: the description last, so that a folder that has one has all.
  package func write(
    _ description: BatchDescription, graph: [UInt8], _ items: [BatchItem], _ tasks: [BatchTask]
  ) throws(BatchError) {
    try write(graph, to: Self.graphName)
    try write(items, tasks)
    try write(Array(description.json.utf8), to: Self.descriptionName)
  }

  /// Writes the plan's items anew.
  package func write(_ items: [BatchItem], _ tasks: [BatchTask]) throws(BatchError) {
    try write(items.map { Array("\($0.line)\n".utf8) }.flatMap(\.self), to: Self.itemsName)
    try write(tasks.map { Array("\($0.line)\n".utf8) }.flatMap(\.self), to: Self.tasksName)
  }

  func write(_ bytes: [UInt8], to name: String) throws(BatchError) {
    try attempt { () throws(File.Failure) in
      var file = try ReplacementFile(place(name))
      try file.write(bytes)
      try file.flush()
      try file.complete()
    }
  }

  package func description() throws(BatchError) -> BatchDescription {
    guard let fields = try lines(of: Self.descriptionName, whole: true).first,
      let description = BatchDescription(line: fields)
    else { throw unreadable(Self.descriptionName) }
    return description
  }

  package func graph() throws(BatchError) -> [UInt8] {
    try lines(of: Self.graphName, whole: true).first ?? []
  }

  package func items() throws(BatchError) -> [BatchItem] {
    try read(Self.itemsName) { BatchItem(line: $0) }
  }

  package func tasks() throws(BatchError) -> [BatchTask] {
    try read(Self.tasksName) { BatchTask(line: $0) }
  }

  /// The tasks in which something is left to do.
  package func tasksToDo() throws(BatchError) -> [BatchTask] {
    let names = records.doneNames
    let needless = try items().filter { item in item.piece.map { names.contains($0.item) } ?? false
    }
    let done = names.union(needless.map(\.id))
    return try tasks().filter { !done.isSuperset(of: $0.items) }
  }

  /// Removes the folder; what else is in it stays.
  func remove() {
    for name in Self.ownNames { File.removeAll(place(name)) }
    File.removeFolder(path)
  }

  private func read<Value>(
    _ name: String, _ make: ([UInt8]) -> Value?
  ) throws(BatchError) -> [Value] {
    var values: [Value] = []
    for line in try lines(of: name) {
      guard let value = make(line) else { throw unreadable(name) }
      values.append(value)
    }
    return values
  }

  private func lines(of name: String, whole: Bool = false) throws(BatchError) -> [[UInt8]] {
    do throws(File.Failure) {
      let file = try File(place(name))
      let bytes = try file.read(at: 0, count: file.size)
      return whole ? [bytes] : bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    } catch {
      throw BatchError(
        .noInput, path, "it is no folder of a batch: `\(name)` can't be read: \(error.text)",
        remedy: "give the folder that `graphctl batch` has made")
    }
  }

  private func unreadable(_ name: String) -> BatchError {
    BatchError(
      .noInput, place(name), "it isn't as `graphctl batch` writes it",
      remedy: "make the batch anew: the records of what is done are kept")
  }

  private func attempt(_ body: () throws(File.Failure) -> Void) throws(BatchError) {
    do throws(File.Failure) { try body() } catch { throw failure(error) }
  }

  private func failure(_ error: File.Failure) -> BatchError {
    BatchError(
      .cannotCreate, path, "it can't be written: \(error.text)",
      remedy: "give another folder with --batch, or make room")
  }
}
