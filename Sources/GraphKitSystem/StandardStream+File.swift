import Glibc

extension StandardStream {
  /// Everything up to the end as a file that may be read anywhere, and more than once: the stream
  /// itself where a file is at its other end, or else a copy.
  package func file() throws(File.Failure) -> SeekableCopy {
    var status = stat()
    if unsafe fstat(rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      lseek(rawValue, 0, SEEK_CUR) == 0
    {
      return SeekableCopy(path: "/proc/self/fd/\(rawValue)", byteCount: Int(status.st_size))
    }
    return try SeekableCopy(ofDescriptor: rawValue)
  }
}

/// What came through a pipe, as a file without a name that lasts as long as the process.
package struct SeekableCopy {
  /// The path by which this process may open it.
  package let path: String
  /// How long it is.
  package let byteCount: Int

  /// What is open for as long as the process lasts.
  private static let copies = Monitor<[File]>([])

  fileprivate init(path: String, byteCount: Int) { (self.path, self.byteCount) = (path, byteCount) }

  /// Everything that comes through a named pipe until its writers have closed it. Waits for one.
  package init(ofPipe path: String) throws(File.Failure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    self = try SeekableCopy(ofDescriptor: descriptor)
  }

  fileprivate init(ofDescriptor descriptor: Int32) throws(File.Failure) {
    let file = try File(namelessIn: Machine.variable("TMPDIR") ?? "/tmp")
    try Self.copy(descriptor, to: file)
    Self.copies.withLock { $0.append(file) }
    self.init(path: file.ownPath, byteCount: file.size)
  }

  private static func copy(_ descriptor: Int32, to file: File) throws(File.Failure) {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    var end = 0
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return }
      guard count > 0 else {
        if errno != EINTR { throw .last }
        continue
      }
      try file.write(Array(block[..<count]), at: end)
      end += count
    }
  }
}
