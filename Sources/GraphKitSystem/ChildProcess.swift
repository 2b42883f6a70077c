import CGraphKitSystem
import Glibc
import Synchronization

/// A program that this process starts, without a shell, and whose outputs it reads.
///
/// Any thread may kill it; all else is for one. It is killed with its last use.
package final class ChildProcess: Sendable {
  private let program: Program
  /// What it writes to its standard output, and to its standard error.
  package let output: ReadEnd
  package let messages: ReadEnd

  /// Starts a program that the search path has. It reads `input`, and gets no descriptor but the
  /// standard ones.
  package init(_ name: String, _ arguments: [String], input: [UInt8]) throws(File.Failure) {
    let input = try InputMemory(input)
    let output = try Pipe()
    let messages = try Pipe()
    let places = [input.descriptor, output.writeEnd, messages.writeEnd]
    program = try Program(name, [name] + arguments, standardStreams: places)
    (self.output, self.messages) = (output.readEnd, messages.readEnd)
  }

  /// Ends the program at once.
  package func kill() { program.kill() }

  /// Waits until there is something to read, or until the outputs end, or for a time.
  package func waitForOutput(milliseconds: Int32) {
    let events = Int16(POLLIN)
    var polls = [output, messages].filter { !$0.hasEnded }
      .map { pollfd(fd: $0.descriptor, events: events, revents: 0) }
    _ = unsafe poll(&polls, nfds_t(polls.count), milliseconds)
  }

  /// Waits until the program has ended.
  package func waitForEnd() -> Program.Ending { program.waitForEnd() }
}

extension ChildProcess {
  /// The end of a pipe that a program writes into; closed with its last use.
  package final class ReadEnd: Sendable {
    fileprivate let descriptor: Int32
    private let isAtEnd = Atomic(false)

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Whether the program writes no more, and all has been read.
    package var hasEnded: Bool { isAtEnd.load(ordering: .relaxed) }

    /// Reads what is there over the first of an array; returns how many bytes that was.
    package func read(into bytes: inout [UInt8]) -> Int {
      while !hasEnded {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        }
        if count > 0 { return count }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return 0 }
        isAtEnd.store(true, ordering: .relaxed)
      }
      return 0
    }
  }

  /// A pipe whose end for writing is closed with it.
  private struct Pipe: ~Copyable {
    let readEnd: ReadEnd
    let writeEnd: Int32

    init() throws(File.Failure) {
      var ends: [Int32] = [0, 0]
      guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw .last }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      (readEnd, writeEnd) = (ReadEnd(ends[0]), ends[1])
    }

    deinit { close(writeEnd) }
  }

  /// Memory that a program reads as its standard input. A pipe might not hold it all.
  private struct InputMemory: ~Copyable {
    let descriptor: Int32

    init(_ bytes: [UInt8]) throws(File.Failure) {
      // Closed in the program to be started (`MFD_CLOEXEC`), but for its copy there.
      descriptor = unsafe memfd_create("input", 1)
      guard descriptor >= 0 else { throw .last }
      do { try File.write(bytes.span, at: 0, to: descriptor) } catch {
        close(descriptor)
        throw error
      }
    }

    deinit { close(descriptor) }
  }
}
