import Glibc
import Synchronization

/// An open regular file, read and written at stated places; closed with its last use.
///
/// For the few places that look into a file themselves. Foundation isn't used: loading it costs
/// more time than a small graph takes.
package final class File: Sendable {
  /// Why a file can't be used.
  package struct Failure: Error, Sendable {
    /// `errno`, or 0 where the system gave none: the file isn't a regular one, or a library can't
    /// be loaded.
    package var code: Int32
    /// The system's words.
    package var text: String

    /// Whether it was a pipe whose reader has gone.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// Whether permission was denied.
    package var isNotAllowed: Bool { code == EACCES || code == EPERM }

    /// Whether the file is there already.
    package var isTaken: Bool { code == EEXIST }

    /// Whether another process holds the file's lock.
    package var isBusy: Bool { code == EWOULDBLOCK }

    package static var last: Failure { of(errno) }

    /// That a file may not grow any further.
    package static var tooLarge: Failure { of(EFBIG) }

    /// That the disk is full, that the user may have no more of it, and that nothing may be written
    /// to it.
    package static var diskFull: Failure { of(ENOSPC) }
    package static var overQuota: Failure { of(EDQUOT) }
    package static var readOnly: Failure { of(EROFS) }

    /// That bytes aren't there that were.
    package static var cutOff: Failure {
      Failure(code: 0, text: "it was cut off while it was read")
    }

    /// That the reader no longer waits for what was being read.
    package static var stopped: Failure { .saying("the reading was stopped") }

    /// What no code of the system says.
    package static func saying(_ text: String) -> Failure { Failure(code: 0, text: text) }

    static func of(_ code: Int32) -> Failure {
      Failure(code: code, text: unsafe String(cString: strerror(code)))
    }
  }

  /// What a file is opened for.
  package enum Access: Sendable { case reading, changing, creating }

  let descriptor: Int32
  /// The file of a web server that this is the copy of.
  package let web: WebFile?
  private let isStopped = Atomic(false)
  private let isOpen = Atomic(true)

  /// Opens a file. Devices, pipes and folders are refused, so that nothing blocks. The address of a
  /// file of a web server may be opened for reading, whose beginning is waited for.
  package convenience init(_ path: String, for access: Access = .reading) throws(Failure) {
    if path.isWebAddress {
      guard access == .reading else { throw .saying("files of web servers are only read") }
      let web: WebFile
      do throws(WebFailure) { web = try .shared(path) } catch { throw .saying(error.text) }
      try self.init(web)
    } else {
      try self.init(path, for: access, of: nil)
    }
  }

  /// Opens the copy of a file of a web server.
  package convenience init(_ web: WebFile) throws(Failure) {
    try self.init(web.copy.ownPath, for: .reading, of: web)
  }

  private init(_ path: String, for access: Access, of web: WebFile?) throws(Failure) {
    self.web = web
    let flags =
      switch access {
      case .reading: O_RDONLY
      case .changing: O_RDWR
      case .creating: O_RDWR | O_CREAT | O_EXCL
      }
    let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw .last }
    guard Self.isRegular(descriptor) else {
      Glibc.close(descriptor)
      throw Failure(code: 0, text: "Not a regular file")
    }
    self.descriptor = descriptor
  }

  /// Makes a file in a folder that only its owner may read, and takes its name away again: nothing
  /// is left of it, however the process ends.
  package init(namelessIn folder: String) throws(Failure) {
    let path = "\(folder)/graphkit-\(getpid())-\(UInt64.random(in: 0 ... .max)).tmp"
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    Self.remove(path)
    self.descriptor = descriptor
    web = nil
  }

  deinit { if isOpen.load(ordering: .relaxed) { Glibc.close(descriptor) } }

  /// Closes the file, of which nothing may be asked any more. File systems of other machines, and those
  /// with quotas, may say only now that they couldn't keep what was written.
  package func close() throws(Failure) {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    try Self.close(descriptor)
  }

  /// Closes a descriptor that was written to. Where a signal interrupts that, Linux has closed it.
  package static func close(_ descriptor: Int32) throws(Failure) {
    guard Glibc.close(descriptor) == 0 || errno == EINTR else { throw .last }
  }

  /// A path by which this process may open the file once more, as long as it is open: the same for all
  /// who have opened the same file of a web server, as GStreamer names streams by it.
  package var ownPath: String { web?.copy.ownPath ?? "/proc/self/fd/\(descriptor)" }

  /// Waits until some bytes are on this machine, as far as the file has them.
  package func fetch(
    at offset: Int, count: Int, while isWanted: () -> Bool = { true }
  ) throws(Failure) {
    guard let web, offset >= 0, count > 0 else { return }
    let (end, overflow) = offset.addingReportingOverflow(count)
    try web.fetch(offset..<(overflow ? .max : end)) {
      isWanted() && !isStopped.load(ordering: .relaxed)
    }
  }

  /// Has bytes fetched again after ``stopFetching()``.
  package func resumeFetching() { isStopped.store(false, ordering: .relaxed) }

  /// Has nothing more fetched through this file: a reader that waits for its bytes gets an error at once.
  package func stopFetching() {
    isStopped.store(true, ordering: .relaxed)
    web?.rest()
  }

  private static func isRegular(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Bytes of the file.
  package var size: Int {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Some bytes; fewer at the end of the file.
  package func read(at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, max(0, size - offset)))
    let done = try read(into: &bytes, at: offset, count: bytes.count)
    return done < bytes.count ? Array(bytes[..<done]) : bytes
  }

  /// Reads some bytes over the first of an array, which grows where it is too short; returns how
  /// many there were.
  @discardableResult
  package func read(into bytes: inout [UInt8], at offset: Int, count: Int) throws(Failure) -> Int {
    if bytes.count < count {
      bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
    }
    var span = bytes.mutableSpan
    return try read(at: offset, count: count, into: &span)
  }

  /// Reads bytes into memory that is there already; returns how many, fewer at the end of the file.
  package func read(
    at offset: Int, count: Int, into bytes: inout MutableSpan<UInt8>
  ) throws(Failure) -> Int {
    let count = min(count, bytes.count)
    try fetch(at: offset, count: count)
    var done = 0
    while done < count {
      let read = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
      }
      if read == 0 { break }
      if read > 0 { done += read } else if errno != EINTR { throw .last }
    }
    return done
  }

  /// Tells the system that the file is read from its start to its end.
  package func expectSequentialReading() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  /// Writes bytes over what is there, or past the end.
  package func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    try write(bytes.span, at: offset)
  }

  /// Writes bytes over what is there, or past the end.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(Failure) {
    try Self.write(bytes, at: offset, to: descriptor)
  }

  /// Writes bytes over what is in an open file, or past its end.
  static func write(
    _ bytes: Span<UInt8>, at offset: Int, to descriptor: Int32
  ) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress! + done, bytes.count - done, off_t(offset + done))
      }
      if written > 0 { done += written } else if errno != EINTR { throw .last }
    }
  }

  /// Cuts off what is after a size.
  package func truncate(to size: Int) throws(Failure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
  }

  /// Waits until the bytes are on the disk.
  package func synchronize() throws(Failure) {
    guard fsync(descriptor) == 0 else { throw .last }
  }

  /// Waits until the names in the folder of a file are on the disk, where the file system knows such
  /// a thing: a new file whose name isn't there is lost with the power.
  package static func synchronizeFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    Glibc.close(descriptor)
  }

  /// Writes a whole file, in place of one that is there. Pipes and devices are written to, too.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .last }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written <= 0, errno != EINTR {
        defer { Glibc.close(descriptor) }
        throw .last
      }
      rest = rest.dropFirst(max(0, written))
    }
    // Some file systems say only now that the disk is full.
    try close(descriptor)
  }

  /// Makes a copy of a file under a name that no file has.
  package static func copy(_ path: String, to copyPath: String) throws(Failure) {
    let source = try File(path)
    let copy = try File(copyPath, for: .creating)
    try source.copy(0..<source.size, to: copy, at: 0)
    try copy.close()
  }

  /// Gives a file another name, in place of whatever has that name.
  package static func rename(_ path: String, to newPath: String) throws(Failure) {
    guard unsafe Glibc.rename(path, newPath) == 0 else { throw .last }
  }

  /// Removes a file, if it is there.
  package static func remove(_ path: String) { unsafe _ = unlink(path) }

  /// Removes a folder, if it is there and empty.
  package static func removeFolder(_ path: String) { unsafe _ = rmdir(path) }

  /// Whether anything has that name, be it a link to nothing.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// Whether a name is a link to something that isn't there.
  package static func isLinkToNothing(_ path: String) -> Bool {
    unsafe exists(path) && access(path, F_OK) != 0 && errno == ENOENT
  }

  /// The device and the number that the file of a name has; `nil` where there is none.
  package static func number(of path: String) -> (device: UInt64, file: UInt64)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// Whether a folder has that name.
  package static func isFolder(_ path: String) -> Bool { isKind(S_IFDIR, path) }

  /// Whether a path leads to a named pipe: opening one waits for a reader.
  package static func isPipe(_ path: String) -> Bool { isKind(S_IFIFO, path) }

  private static func isKind(_ kind: mode_t, _ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == kind
  }

  /// Whether files may be made in a folder.
  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
}
