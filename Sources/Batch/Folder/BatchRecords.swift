import GStreamer
import GraphKit
import GraphKitSystem

/// The records of a batch: one of each item that is done, and one of each attempt that failed.
package struct BatchRecords: Sendable {
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// `done/3f/3fa9….json`
  private func donePath(_ id: String) -> String { "\(folder)/done/\(id.prefix(2))/\(id).json" }

  private func failedFolder(_ id: String) -> String { "\(folder)/failed/\(id.prefix(2))" }

  /// Whether there is a record of an item that is done.
  package func isDone(_ id: String) -> Bool { File.exists(donePath(id)) }

  /// Whether an item is done, and its outputs are as they were made: there, and of their size; with
  /// `verifies` also of their contents. The record of one that isn't is removed, so that it is done
  /// again.
  package func confirm(_ id: String, verifies: Bool = false) -> Bool {
    guard isDone(id) else { return false }
    if let record = done(id), record.outputs.allSatisfy({ $0.isIntact(verifies: verifies) }) {
      return true
    }
    File.remove(donePath(id))
    return false
  }

  /// The record of an item that is done; `nil` where there is none, or only a part of one.
  package func done(_ id: String) -> DoneRecord? {
    read(donePath(id)).flatMap { DoneRecord(line: $0) }
  }

  /// Publishes the record of an item; `false` where another process has done so.
  package func publish(_ record: DoneRecord) throws(File.Failure) -> Bool {
    let path = donePath(record.id)
    try File.makeFolders(path.parentFolder)
    return try File.publish(Array(record.json.utf8), as: path)
  }

  /// Adds the record of an attempt that failed; its number follows that of the last.
  package func add(_ record: FailedRecord) throws(File.Failure) {
    var record = record
    let folder = failedFolder(record.id)
    try File.makeFolders(folder)
    record.attempt = attempts(record.id)
    repeat {
      record.attempt += 1
    } while try !File.publish(
      Array(record.json.utf8), as: "\(folder)/\(record.id).\(record.attempt).json")
  }

  /// How many attempts of an item have failed.
  package func attempts(_ id: String) -> Int {
    var count = 0
    while File.exists("\(failedFolder(id))/\(id).\(count + 1).json") { count += 1 }
    return count
  }

  /// The last attempt of an item that failed.
  package func lastFailure(_ id: String) -> FailedRecord? {
    let count = attempts(id)
    guard count > 0 else { return nil }
    return read("\(failedFolder(id))/\(id).\(count).json").flatMap { FailedRecord(line: $0) }
  }

  /// The names of all items of which there is a record that they are done.
  package var doneNames: Set<String> {
    Set(names("done").map { String($0.dropLast(".json".count)) })
  }

  /// Removes the records of items that are none of some: their files have changed since.
  package func removeAll(but ids: Set<String>) {
    for kind in ["done", "failed"] {
      for name in names(kind)
      where !ids.contains(name.split(separator: ".").first.map(String.init) ?? "") {
        File.remove("\(folder)/\(kind)/\(name.prefix(2))/\(name)")
      }
    }
  }

  /// Removes what processes of this machine have left that ended in the midst of a record.
  func sweep() {
    for kind in ["done", "failed"] {
      for name in allNames(kind) where name.hasPrefix(".") && Machine.isLeftBehind(name) {
        File.remove("\(folder)/\(kind)/\(name.dropFirst().prefix(2))/\(name)")
      }
    }
  }

  private func names(_ kind: String) -> [String] {
    allNames(kind).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
  }

  private func allNames(_ kind: String) -> [String] {
    Machine.names(in: "\(folder)/\(kind)").flatMap {
      Machine.names(in: "\(folder)/\(kind)/\($0)")
    }
  }

  private func read(_ path: String) -> [UInt8]? {
    guard let file = try? File(path) else { return nil }
    return try? file.read(at: 0, count: file.size)
  }
}
