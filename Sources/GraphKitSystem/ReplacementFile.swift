import Glibc

/// A file that is written from its start to its end, and has its name only once it is whole.
///
/// What is written goes to another file in the same folder, which takes the name at the end; one
/// that isn't completed is removed. Pipes and devices have no such end: they get what is written
/// at once.
package struct ReplacementFile: ~Copyable {
  private var descriptor: Int32
  private let path: String
  /// What is written to until the end; `nil` where bytes go to their place at once.
  private var temporary: String?
  private let ownsDescriptor: Bool

  /// Begins a file, which will replace one that is there.
  package init(_ path: String) throws(File.Failure) {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    let isRegular = isThere && status.st_mode & S_IFMT == S_IFREG
    // A link stays one: what it leads to is replaced.
    let place = isRegular ? File.resolvedPath(path) ?? path : path
    ownsDescriptor = true
    self.path = place
    if !isThere || isRegular, let (name, descriptor) = Self.temporary(beside: place) {
      if isRegular { fchmod(descriptor, status.st_mode & 0o7777) }
      self.descriptor = descriptor
      temporary = name
      return
    }
    // A folder in which nothing can be made may still hold a file that can be changed.
    descriptor = unsafe open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    temporary = nil
    guard descriptor >= 0 else { throw .last }
  }

  /// Writes to a stream that is open already, and leaves it open.
  package init(_ stream: StandardStream) {
    descriptor = stream.rawValue
    path = ""
    temporary = nil
    ownsDescriptor = false
  }

  deinit {
    if ownsDescriptor, descriptor >= 0 { close(descriptor) }
    if let temporary { File.remove(temporary) }
  }

  /// Writes the bytes that follow.
  package func write(_ bytes: [UInt8]) throws(File.Failure) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + done, bytes.count - done)
      }
      if written > 0 { done += written } else if errno != EINTR { throw .last }
    }
  }

  /// Waits until what was written is on the disk, where that can be waited for.
  package func flush() throws(File.Failure) {
    guard ownsDescriptor, descriptor >= 0 else { return }
    if fdatasync(descriptor) != 0, ![EINVAL, ENOSYS, ENOTSUP].contains(errno) { throw .last }
  }

  /// Gives the file its name; nothing may be written any more.
  package mutating func complete() throws(File.Failure) {
    guard ownsDescriptor, descriptor >= 0 else { return }
    defer { descriptor = -1 }
    // Some file systems say only now that the disk is full.
    try File.close(descriptor)
    guard let name = temporary else { return }
    try File.rename(name, to: path)
    temporary = nil
  }

  /// Makes a file beside another, with a name that is never too long.
  private static func temporary(beside path: String) -> (String, Int32)? {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    for attempt in 0..<100 {
      let name = "\(folder).graphkit-\(getpid())-\(attempt).part"
      let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (name, descriptor) }
      if errno != EEXIST { return nil }
    }
    return nil
  }
}
