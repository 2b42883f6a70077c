import CGraphKitSystem
import Glibc
import Synchronization

/// A program that this process starts, without a shell, and talks to by lines: what it writes to its
/// standard output comes here, and what is sent from here it reads as its standard input.
///
/// One thread uses it. It is killed with its last use.
package final class WorkerProcess: Sendable {
  private let program: Program
  /// Its number in the system.
  package var number: Int32 { program.number }
  private let descriptor: Int32
  private struct State {
    var incoming: [UInt8] = []
    var isAtEnd = false
  }
  private let state = Mutex(State())

  private static let lineFeed = UInt8(ascii: "\n")

  /// Starts a program by its path, which is to believe that it was called by a name. What it says on its
  /// standard error is appended to a file; it gets no descriptor but the standard ones.
  package init(
    _ path: String, name: String, _ arguments: [String], log: String
  ) throws(File.Failure) {
    let messages = unsafe open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard messages >= 0 else { throw .last }
    defer { close(messages) }
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw .last }
    defer { close(ends[1]) }
    descriptor = ends[0]
    do {
      program = try Program(
        path, [name] + arguments, standardStreams: [ends[1], ends[1], messages])
    } catch {
      close(ends[0])
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Sends a line; `false` where the program reads no more.
  package func send(_ line: String) -> Bool {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if sent > 0 { rest = rest.dropFirst(sent) } else if errno != EINTR { return false }
    }
    return true
  }

  /// Lets the program know that nothing more will be sent.
  package func endInput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// The lines that have come since the last call. Doesn't wait.
  package func receive() -> [[UInt8]] {
    state.withLock { state in
      while !state.isAtEnd, readBlock(&state) {}
      var lines = state.incoming.split(
        separator: Self.lineFeed, omittingEmptySubsequences: false
      ).map(Array.init)
      state.incoming = lines.popLast() ?? []
      return lines
    }
  }

  /// Whether the program writes no more, and all was received.
  package var hasEnded: Bool { state.withLock { $0.isAtEnd } }

  private func readBlock(_ state: inout State) -> Bool {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe block.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
    }
    if count > 0 { state.incoming += block[..<count] }
    if count < 0, errno == EINTR { return true }
    state.isAtEnd = count == 0 || count < 0 && errno != EAGAIN
    return count > 0
  }

  /// Ends the program at once.
  package func kill() { program.kill() }

  /// Waits until the program has ended.
  package func waitForEnd() -> Program.Ending { program.waitForEnd() }

  /// Waits until one of some programs has written or ended, at most for some time.
  package static func wait(for processes: [WorkerProcess], milliseconds: Int32) {
    var polls = processes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    _ = unsafe poll(&polls, nfds_t(polls.count), milliseconds)
  }
}
