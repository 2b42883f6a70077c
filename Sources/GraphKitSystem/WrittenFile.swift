import Glibc
import Synchronization

/// A file while it is written: open, and locked, so that no second run writes to it.
///
/// What is in it already stays until ``clear()``. Pipes and devices are taken as they are.
package final class WrittenFile: Sendable {
  /// The number that the system knows the open file by.
  package let descriptor: Int32
  /// Whether the file wasn't there before.
  package let isNew: Bool
  /// Whether it is a file, and no pipe, device or folder.
  package let isRegular: Bool
  private let path: String
  /// Whether its name may not be on the disk yet.
  private let hasNewName: Atomic<Bool>
  private let isOpen = Atomic(true)

  /// Makes a file, or opens one that is there where it may be replaced.
  ///
  /// The error says ``File/Failure/isTaken`` of a file that is there and may not be replaced, and
  /// ``File/Failure/isBusy`` of one that another run writes.
  package init(_ path: String, replacing: Bool) throws(File.Failure) {
    while true {
      let (descriptor, isNew) = try Self.open(path, replacing: replacing)
      var status = stat()
      let isKnown = unsafe fstat(descriptor, &status) == 0
      let isRegular = isKnown && status.st_mode & S_IFMT == S_IFREG
      // A file system without locks is no reason not to record.
      if isRegular, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        Glibc.close(descriptor)
        throw .of(EWOULDBLOCK)
      }
      // The previous holder of the lock may have removed the file, or put another in its place.
      if isRegular, unsafe fstat(descriptor, &status) == 0, status.st_nlink == 0 {
        Glibc.close(descriptor)
        continue
      }
      (self.descriptor, self.isNew, self.isRegular) = (descriptor, isNew, isRegular)
      self.path = path
      hasNewName = Atomic(isNew)
      return
    }
  }

  /// Makes a folder, or opens one that is there: empty, or with files that may be replaced.
  package init(folder path: String, replacing: Bool) throws(File.Failure) {
    isNew = unsafe mkdir(path, 0o777) == 0
    guard isNew || errno == EEXIST else { throw .last }
    (isRegular, self.path) = (false, path)
    hasNewName = Atomic(false)
    descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .of(EWOULDBLOCK)
    }
    guard replacing || Machine.names(in: path).isEmpty else { throw .of(EEXIST) }
  }

  deinit { if isOpen.load(ordering: .relaxed) { Glibc.close(descriptor) } }

  /// Closes the file, to which nothing may be written any more. File systems of other machines, and
  /// those with quotas, may say only now that they couldn't keep what was written.
  package func close() throws(File.Failure) {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    try File.close(descriptor)
  }

  private static func open(_ path: String, replacing: Bool) throws(File.Failure) -> (Int32, Bool) {
    let made = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if made >= 0 { return (made, true) }
    guard errno == EEXIST, replacing else { throw .last }
    let opened = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard opened >= 0 else { throw .last }
    return (opened, false)
  }

  /// Writes bytes over what is there, or past the end.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(File.Failure) {
    try File.write(bytes, at: offset, to: descriptor)
  }

  /// Waits until all that was written before the call is on the disk; returns how many bytes the file
  /// had then. A pipe, a device and a file system that knows no such thing have no disk to wait for.
  package func synchronize() throws(File.Failure) -> Int {
    let count = byteCount
    guard isRegular else { return count }
    if fdatasync(descriptor) != 0, ![EINVAL, ENOSYS, ENOTSUP].contains(errno) { throw .last }
    if hasNewName.exchange(false, ordering: .relaxed) { File.synchronizeFolder(of: path) }
    return count
  }

  /// How much is in the file.
  package var byteCount: Int {
    var status = stat()
    // A folder's size says nothing of what is in it.
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      return 0
    }
    return Int(status.st_size)
  }

  /// What another program did to a file meanwhile.
  package enum Damage: Sendable {
    /// Nothing has its name any more.
    case isGone
    /// Another file has its name.
    case isReplaced
    /// What had been written was cut off, as far as its beginning is missing or it is shorter.
    case isCut
  }

  /// What has happened to the file that was opened at a path and had grown to some size; `nil`
  /// where nothing has.
  package func damage(at path: String, grownTo size: Int) -> Damage? {
    var status = stat()
    guard isRegular, unsafe fstat(descriptor, &status) == 0 else { return nil }
    guard let there = File.number(of: path) else { return .isGone }
    guard there == (UInt64(status.st_dev), UInt64(status.st_ino)) else { return .isReplaced }
    // What is written on after a cut leaves a hole before it. File systems without holes say that
    // the first is at the end.
    return Int(status.st_size) < size || status.st_size > 0 && beginsWithHole ? .isCut : nil
  }

  private var beginsWithHole: Bool {
    // `SEEK_HOLE` of `lseek(2)`, which isn't in the module.
    let seekHole: Int32 = 4
    let place = lseek(descriptor, 0, SEEK_CUR)
    defer { lseek(descriptor, place, SEEK_SET) }
    return lseek(descriptor, 0, seekHole) == 0
  }

  /// Takes away what was in the file.
  package func clear() throws(File.Failure) {
    // ext4 waits at the closing of a file that was ever cut to nothing, until it has begun to put all
    // of it on the disk.
    if isRegular, byteCount > 0, ftruncate(descriptor, 0) != 0 { throw .last }
  }
}

extension File {
  /// Removes a file that is as it was, and that no run writes now.
  package static func remove(_ path: String, ifStill stamp: FileStamp) {
    guard FileStamp(path) == stamp, let held = try? WrittenFile(path, replacing: true) else {
      return
    }
    // It may have gone before it was locked, and been made by that.
    if held.isNew || FileStamp(path) == stamp { remove(path) }
    try? held.close()
  }
}
