import Glibc

/// A program that is connected to a ``LocalServer``; on the server's thread alone.
final class LocalConnection {
  private let descriptor: Int32
  private let longestLine: Int
  private let refusal: [UInt8]
  /// What was read and isn't answered yet: at most a line and a block.
  private var incoming: [UInt8] = []
  /// What is left to be written of one answer.
  private var outgoing: ArraySlice<UInt8> = []
  /// The program writes no more.
  private var hasEnded = false
  /// Nothing more can be done for the program.
  private(set) var isOver = false
  /// When it last did something.
  private(set) var last: Int

  private static let block = 4096
  private static let lineFeed = UInt8(ascii: "\n")

  init(_ descriptor: Int32, longestLine: Int, _ refusal: [UInt8], at moment: Int) {
    self.descriptor = descriptor
    self.longestLine = longestLine
    self.refusal = refusal
    last = moment
  }

  deinit { close(descriptor) }

  /// What is waited for: room for an answer, or else the next line.
  var poll: pollfd {
    pollfd(fd: descriptor, events: Int16(outgoing.isEmpty ? POLLIN : POLLOUT), revents: 0)
  }

  /// Does what can be done now.
  func serve(at moment: Int, answer: LocalServer.Answer) {
    last = moment
    if outgoing.isEmpty { read() } else { write() }
    while !isOver, outgoing.isEmpty, let line = nextLine() {
      outgoing = ArraySlice(answer(line) + [Self.lineFeed])
      write()
    }
    if outgoing.isEmpty, hasEnded { isOver = true }
  }

  private func nextLine() -> [UInt8]? {
    if let end = incoming.firstIndex(of: Self.lineFeed) {
      let line = Array(incoming[..<end])
      incoming.removeFirst(end + 1)
      return line
    }
    if incoming.count > longestLine {
      incoming = []
      hasEnded = true
      outgoing = ArraySlice(refusal + [Self.lineFeed])
      write()
      return nil
    }
    defer { if hasEnded { incoming = [] } }
    // What follows the last line feed may be a line that lacks one.
    return hasEnded && incoming.contains { $0 > 0x20 } ? incoming : nil
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: Self.block)
    let count = unsafe block.withUnsafeMutableBytes { buffer in
      unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    }
    if count > 0 {
      incoming += block[..<count]
    } else if count == 0 {
      hasEnded = true
    } else if errno != EAGAIN, errno != EINTR {
      isOver = true
    }
  }

  private func write() {
    while !outgoing.isEmpty {
      let count = unsafe outgoing.withUnsafeBytes { buffer in
        unsafe send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno != EAGAIN, errno != EINTR { isOver = true }
        return
      }
      outgoing = outgoing.dropFirst(count)
    }
  }
}
