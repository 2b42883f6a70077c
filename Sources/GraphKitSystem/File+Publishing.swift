import CGraphKitSystem
import Glibc

extension File {
  /// A file's size in bytes, and when it was written, in nanoseconds since 1970.
  package struct Facts: Hashable, Sendable {
    package var size: Int
    package var modified: Int
  }

  /// What is known of the file or folder that a path leads to; `nil` where there is none.
  package static func facts(of path: String) -> Facts? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Facts(
      size: Int(status.st_size),
      modified: status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec)
  }

  /// The path of a file or folder without links and parts that lead nowhere; `nil` where there is none.
  package static func resolvedPath(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(validatingCString: real)
  }

  /// Makes a folder, and those that it is to be in; those that are there are left.
  package static func makeFolders(_ path: String) throws(Failure) {
    guard !path.isEmpty, !isFolder(path) else { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolders(String(path[..<slash]))
    }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST && isFolder(path) else { throw .last }
  }

  /// Writes a file that appears as a whole, if no file has its name yet: the first of several that
  /// are published at once stays, whatever machines they come from. Returns whether it is this one.
  /// Where the power fails soon after, it may be empty.
  package static func publish(_ bytes: [UInt8], as path: String) throws(Failure) -> Bool {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let hidden = "\(path[..<slash]).\(path[slash...]).\(Machine.processMark)"
    remove(hidden)
    let file = try File(hidden, for: .creating)
    defer { remove(hidden) }
    try file.write(bytes, at: 0)
    try file.close()
    guard unsafe Glibc.link(hidden, path) != 0 else { return true }
    guard errno == EEXIST else { throw .last }
    return false
  }

  /// Puts a file or folder in the place of whatever has the name. What a folder replaces is left
  /// under the former name.
  package static func move(_ path: String, over newPath: String) throws(Failure) {
    guard isFolder(path), exists(newPath) else { return try rename(path, to: newPath) }
    // Two folders change their names at once, where the file system knows such a thing.
    let (here, exchange): (Int32, UInt32) = (-100, 2)
    if unsafe renameat2(here, path, here, newPath, exchange) == 0 { return }
    let former = path + ".former"
    try rename(newPath, to: former)
    try rename(path, to: newPath)
  }

  /// Removes a file, or a folder with all that is in it; links are removed, and not followed.
  package static func removeAll(_ path: String) {
    if isFolder(path), unsafe unlink(path) != 0 {
      for name in Machine.names(in: path) { removeAll("\(path)/\(name)") }
      return removeFolder(path)
    }
    remove(path)
  }

  /// Keeps other processes from taking the lock of the same file, until this one is closed. Throws
  /// where another has it.
  package func lock() throws(Failure) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .last }
  }
}
