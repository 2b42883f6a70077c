import Glibc

/// The lines of the standard input, one after the other as they come.
package struct InputLines: ~Copyable {
  private var incoming: [UInt8] = []

  package init() {}

  /// Waits for the next line; `nil` where the input has ended.
  package mutating func next() -> [UInt8]? {
    while true {
      if let end = incoming.firstIndex(of: UInt8(ascii: "\n")) {
        defer { incoming.removeFirst(end + 1) }
        return Array(incoming[..<end])
      }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = unsafe block.withUnsafeMutableBytes { bytes in
        unsafe read(STDIN_FILENO, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      incoming += block[..<count]
    }
  }
}
