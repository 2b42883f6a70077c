import Glibc

/// The process's own input and outputs, without the buffers of the C library: what is written is
/// written when the call returns.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Fills the places of those that are closed: the next file or socket to be opened would get
  /// them, and what is meant for the output would be lost in there. Reading and writing fail there
  /// as before. Before anything else is opened.
  package static func fillClosed() {
    for stream in [Self.input, .output, .error] where fcntl(stream.rawValue, F_GETFD) == -1 {
      // The lowest number that is free: this one.
      _ = unsafe open("/dev/null", stream == .input ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether a person sits at the other end.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// How many columns the terminal has; `nil` where it is none or doesn't say.
  package var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes text; throws where the reader has gone or the disk is full.
  package func write(_ text: String) throws(File.Failure) { try write(Array(text.utf8)) }

  /// Writes bytes; throws where the reader has gone or the disk is full.
  package func write(_ bytes: [UInt8]) throws(File.Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count)
      }
      if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { throw .last }
    }
  }

  /// Everything up to the end, or up to a limit.
  package func read(limit: Int) throws(File.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(rawValue, buffer.baseAddress, buffer.count)
      }
      if count == 0 { break }
      if count > 0 { bytes += block[..<count] } else if errno != EINTR { throw .last }
    }
    return bytes
  }
}
