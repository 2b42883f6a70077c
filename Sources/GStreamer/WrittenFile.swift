import Glibc

/// A file while it is written: open, and locked, so that no second run writes to it.
///
/// What is in it already stays until ``clear()``. Pipes and devices are taken as they are.
package final class WrittenFile: Sendable {
  /// Why a file can't be written.
  package enum Refusal: Error, Sendable {
    /// It is there already.
    case taken
    /// Another run writes it.
    case busy
    case failed(File.Failure)
  }

  /// The number that the system knows the open file by.
  package let descriptor: Int32
  /// Whether the file wasn't there before.
  package let isNew: Bool
  private let isRegular: Bool

  /// Makes a file, or opens one that is there where it may be replaced.
  package init(_ path: String, replacing: Bool) throws(Refusal) {
    while true {
      let (descriptor, isNew) = try Self.open(path, replacing: replacing)
      var status = stat()
      let isKnown = unsafe fstat(descriptor, &status) == 0
      let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
      // A file system without locks is no reason not to record.
      if isRegular, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        throw .busy
      }
      // Whoever had the lock may have taken the file away, or put another in its place.
      if isRegular, unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0 {
        close(descriptor)
        continue
      }
      (self.descriptor, self.isNew, self.isRegular) = (descriptor, isNew, isRegular)
      return
    }
  }

  deinit { close(descriptor) }

  private static func open(_ path: String, replacing: Bool) throws(Refusal) -> (Int32, Bool) {
    let made = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if made >= 0 { return (made, true) }
    guard errno == EEXIST else { throw .failed(.last) }
    guard replacing else { throw .taken }
    let opened = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard opened >= 0 else { throw .failed(.last) }
    return (opened, false)
  }

  /// How much is in the file.
  package var byteCount: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Takes away what was in the file.
  package func clear() {
    if isRegular { ftruncate(descriptor, 0) }
  }
}
