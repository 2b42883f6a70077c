import CGraphKitSystem
import Glibc

extension WrittenFile {
  /// What ends the growth of a file.
  package enum Limit: Hashable, Sendable {
    /// The disk that it is on, or what the user may use of it.
    case disk
    /// The largest size that the process or the file system allows.
    case size(Int)
  }

  /// Has the disk keep room for a file up to a size, so that no other program takes it; returns what
  /// is in the way, or `nil` where nothing is. Room that isn't used is given back by ``trim()``.
  ///
  /// Where a file system can't keep room, it is looked whether there is enough at the moment.
  package func reserve(from start: Int, upTo size: Int) -> Limit? {
    guard isRegular, size > start else { return nil }
    let largest = largestSize
    if size > largest { return .size(largest) }
    // The size itself stays (`FALLOC_FL_KEEP_SIZE`).
    while fallocate(descriptor, 1, off_t(start), off_t(size - start)) != 0 {
      switch errno {
      case EINTR: continue
      case ENOSPC, EDQUOT: return .disk
      case EFBIG: return .size(byteCount)
      default: return (freeBytes ?? .max) < size - byteCount ? .disk : nil
      }
    }
    return nil
  }

  /// Gives back what was reserved after the end of the file.
  package func trim() throws(File.Failure) {
    if isRegular, ftruncate(descriptor, off_t(byteCount)) != 0 { throw .last }
  }

  /// The bytes that are free on the file's disk; `nil` where that can't be said.
  package var freeBytes: Int? {
    var status = statvfs()
    guard isRegular, unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    return Int(clamping: blocks.multipliedReportingOverflow(by: UInt(status.f_frsize)).partialValue)
  }

  /// The largest size of a file that the process may write.
  private var largestSize: Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }
}
