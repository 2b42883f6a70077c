import CGraphKitSystem
import Glibc

/// Bytes that go from one file into another.
extension File {
  /// Copies bytes of the file to a place of another; by the system alone where the pages are alike, so
  /// that a file system may let both files share them. What isn't there any more is an error.
  package func copy(_ range: Range<Int>, to other: File, at offset: Int) throws(Failure) {
    try fetch(at: range.lowerBound, count: range.count)
    try Self.copy(range, of: descriptor, to: other.descriptor, at: offset)
  }

  /// The same, for a file that is being written.
  package func copy(_ range: Range<Int>, to other: WrittenFile, at offset: Int) throws(Failure) {
    try fetch(at: range.lowerBound, count: range.count)
    try Self.copy(range, of: descriptor, to: other.descriptor, at: offset)
  }

  /// The pages of a file.
  private static let pageSize = 4_096

  /// Bytes that are read and written at once: they stay in the processor's second cache.
  private static let blockSize = 1 << 19

  private static func copy(
    _ range: Range<Int>, of source: Int32, to descriptor: Int32, at offset: Int
  ) throws(Failure) {
    var (from, to) = (off_t(range.lowerBound), off_t(offset))
    // Pages that begin elsewhere in the other file can't be shared, and the system takes half as long
    // again to copy them as a read and a write do (ext4, Linux 6.18).
    if (range.lowerBound - offset) % pageSize == 0 {
      try copyPages(&from, range.upperBound, of: source, to: descriptor, &to)
    }
    try copyByHand(Int(from)..<range.upperBound, of: source, to: descriptor, at: Int(to))
  }

  /// Has the system copy as far as it can: between some file systems, and on old ones, it can't.
  private static func copyPages(
    _ from: inout off_t, _ end: Int, of source: Int32, to descriptor: Int32, _ to: inout off_t
  ) throws(Failure) {
    while from < end {
      let count = unsafe copy_file_range(source, &from, descriptor, &to, end - Int(from), 0)
      if count > 0 || count < 0 && errno == EINTR { continue }
      if count == 0 { throw .cutOff }
      guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw .last }
      return
    }
  }

  private static func copyByHand(
    _ range: Range<Int>, of source: Int32, to descriptor: Int32, at offset: Int
  ) throws(Failure) {
    guard !range.isEmpty else { return }
    var bytes = [UInt8](repeating: 0, count: min(blockSize, range.count))
    var place = range.lowerBound
    while place < range.upperBound {
      let count = min(bytes.count, range.upperBound - place)
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(source, buffer.baseAddress, count, off_t(place))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .last }
      guard read > 0 else { throw .cutOff }
      try write(
        bytes.span.extracting(first: read), at: offset + place - range.lowerBound, to: descriptor)
      place += read
    }
  }
}
