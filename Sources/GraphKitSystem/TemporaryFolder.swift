import Glibc

/// A folder of its own for files that a process needs for a time, removed with all that is in it.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let path: String

  /// Makes the folder in that of `TMPDIR`, or else in `/var/tmp`, which is a disk where `/tmp` may be
  /// memory. With `isPlain` the path has no colon, as libraries need that take it among other options.
  package init(named name: String, isPlain: Bool = false) throws(File.Failure) {
    let wanted = Machine.variable("TMPDIR").flatMap { isPlain && $0.contains(":") ? nil : $0 }
    let parent = wanted ?? "/var/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .last }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it now: a process that ends may free nothing.
  package func remove() { File.removeAll(path) }
}
