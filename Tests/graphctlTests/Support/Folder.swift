import Foundation

/// A folder of its own for one test, gone with its last use.
final class Folder: Sendable {
  let url: URL
  var path: String { url.path }

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "graphctl-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file; returns its name.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appending(path: name))
    return name
  }

  /// The text of a file; empty where there is none.
  func text(_ name: String) -> String {
    (try? String(contentsOf: url.appending(path: name), encoding: .utf8)) ?? ""
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }

  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: url.appending(path: name).path)
  }

  func writing(_ name: String) throws -> FileHandle {
    try FileHandle(forWritingTo: url.appending(path: write(name, "")))
  }

  func reading(_ name: String) throws -> FileHandle {
    try FileHandle(forReadingFrom: url.appending(path: name))
  }
}
