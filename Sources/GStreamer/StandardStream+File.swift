import Glibc

extension StandardStream {
  /// Everything up to the end as a file that may be read anywhere, and more than once: the path of
  /// the stream itself where a file is at its other end, or of a copy that has no name and lasts
  /// as long as the process.
  package func file() throws(File.Failure) -> String {
    var status = stat()
    if unsafe fstat(rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      lseek(rawValue, 0, SEEK_CUR) == 0
    {
      return "/proc/self/fd/\(rawValue)"
    }
    let file = try File(namelessIn: Machine.variable("TMPDIR") ?? "/tmp")
    try copy(to: file)
    Self.copies.withLock { $0.append(file) }
    return file.ownPath
  }

  /// What is open for as long as the process lasts.
  private static let copies = Monitor<[File]>([])

  private func copy(to file: File) throws(File.Failure) {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    var end = 0
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
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
