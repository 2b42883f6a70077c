import Foundation
import Synchronization

/// Media files that commands make, each made once and kept for as long as the tests run.
///
/// Many tests ask for the same file, and an encoder takes longer than most of them.
public enum GeneratedMedia {
  /// A file that is being made, or was.
  private final class Entry: Sendable {
    let path: String
    let isMade = Mutex(false)

    init(_ path: String) { self.path = path }
  }

  private static let entries = Mutex<[String: Entry]>([:])

  /// Where they are; removed when the process ends.
  private static let folder: String = {
    let path =
      NSTemporaryDirectory() + "graphkit-media-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: GeneratedMedia.folder) }
    return path
  }()

  /// Copies the file that a command makes to a path, whose ending says of what kind it is; the copy
  /// may be changed. `make` writes the file to the path that it is given, where no test asked for the
  /// same command before.
  public static func copy(
    of command: String, to path: String, making make: (_ path: String) throws -> Void
  ) throws {
    let ending = URL(filePath: path).pathExtension
    let entry = entries.withLock { entries in
      let key = "\(command) \(ending)"
      if let entry = entries[key] { return entry }
      let entry = Entry("\(folder)/\(entries.count).\(ending)")
      entries[key] = entry
      return entry
    }
    try entry.isMade.withLock { isMade in
      guard !isMade else { return }
      try make(entry.path)
      isMade = true
    }
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: entry.path, toPath: path)
  }
}
