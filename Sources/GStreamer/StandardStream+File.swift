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
    let descriptor = try Self.makeNamelessFile()
    do throws(File.Failure) { try copy(to: descriptor) } catch {
      close(descriptor)
      throw error
    }
    return "/proc/self/fd/\(descriptor)"
  }

  private static func makeNamelessFile() throws(File.Failure) -> Int32 {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/graphkit-XXXXXX".utf8CString)
    let descriptor = unsafe name.withUnsafeMutableBufferPointer {
      unsafe mkstemp($0.baseAddress!)
    }
    guard descriptor >= 0 else { throw .last }
    _ = unsafe name.withUnsafeBufferPointer { unsafe unlink($0.baseAddress!) }
    return descriptor
  }

  private func copy(to descriptor: Int32) throws(File.Failure) {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
      }
      if count == 0 { return }
      guard count > 0 else {
        if errno != EINTR { throw .last }
        continue
      }
      try Self.write(block[..<count], to: descriptor)
    }
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(File.Failure) {
    var rest = bytes
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { throw .last }
    }
  }
}
