import Glibc

/// What changes with a regular file's contents: which file has the name, how long it is, and when
/// it was written.
package struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let file: UInt64
  /// How many bytes it has.
  package let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// The file as it is now; `nil` where there is none, or a pipe or a device.
  package init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
    size = Int64(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  /// How many bytes the file has lost since an earlier moment; `nil` where it has lost none, or another
  /// file had the name.
  package func lost(since earlier: FileStamp) -> Int64? {
    guard device == earlier.device, file == earlier.file, size < earlier.size else { return nil }
    return earlier.size - size
  }
}
