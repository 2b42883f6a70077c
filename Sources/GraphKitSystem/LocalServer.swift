import Glibc
import Synchronization

/// Answers lines that programs write to a local socket, each by one line, on a thread of its own.
///
/// Nothing that a program does holds up another, or grows: a line has a longest length, a program
/// that doesn't read its answer isn't listened to meanwhile, and where as many are connected as may
/// be, the one that has been silent longest makes room for the next.
package final class LocalServer: Sendable {
  /// How much a server takes on.
  package struct Limits: Sendable {
    /// Programs that are connected at once.
    package var connections = 32
    /// Bytes of a line.
    package var lineBytes = 65_536

    /// The defaults.
    package init() {}
  }

  /// What lines are answered by.
  package typealias Answer = @Sendable (_ line: [UInt8]) -> [UInt8]

  private let stopPipe: (read: Int32, write: Int32)
  private let thread: Mutex<StreamingThread?>

  /// Serves a path until ``stop()``. `answer` is called on the server's thread, one call at a time;
  /// `refusal` is what the writer of a line gets that is too long.
  package init(
    at path: String, limits: Limits = Limits(), refusal: [UInt8], answer: @escaping Answer
  ) throws(LocalListener.Failure) {
    let listener = try LocalListener(path)
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .system(File.Failure.last.text) }
    stopPipe = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let service = LocalService(listener, stop: ends[0], limits, refusal, answer)
    thread = Mutex(StreamingThread(name: "control", running: service) { $0.run() })
  }

  /// Ends the service, and removes the socket's file; again, to no effect.
  package func stop() {
    thread.withLock { thread in
      guard let running = thread.take() else { return }
      // The end of the pipe is what the thread hears.
      close(stopPipe.write)
      running.join()
      close(stopPipe.read)
    }
  }

  deinit { stop() }
}

/// The work of a server; on its thread alone.
private final class LocalService {
  private var listener: LocalListener?
  private let stop: Int32
  private let limits: LocalServer.Limits
  private let refusal: [UInt8]
  private let answer: LocalServer.Answer
  private var connections: [LocalConnection] = []
  /// Counts what happens, so that it is known who has been silent longest.
  private var moment = 0
  /// Whether there were no descriptors left for one more program.
  private var isExhausted = false

  init(
    _ listener: LocalListener, stop: Int32, _ limits: LocalServer.Limits, _ refusal: [UInt8],
    _ answer: @escaping LocalServer.Answer
  ) {
    self.listener = listener
    self.stop = stop
    self.limits = limits
    self.refusal = refusal
    self.answer = answer
  }

  func run() {
    while let listener {
      var polls = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
      // A connection that can't be accepted would be reported again and again.
      let ear = isExhausted ? -1 : listener.descriptor
      polls.append(pollfd(fd: ear, events: Int16(POLLIN), revents: 0))
      polls += connections.map(\.poll)
      let count = unsafe Glibc.poll(&polls, nfds_t(polls.count), isExhausted ? 100 : -1)
      isExhausted = false
      if count < 0 {
        if errno == EINTR { continue }
        break
      }
      if polls[0].revents != 0 { break }
      for (connection, poll) in zip(connections, polls[2...]) where poll.revents != 0 {
        moment += 1
        connection.serve(at: moment, answer: answer)
      }
      connections.removeAll(where: \.isOver)
      if polls[1].revents != 0 { accept(listener) }
    }
    connections = []
    self.listener = nil
  }

  private func accept(_ listener: LocalListener) {
    for _ in 0..<limits.connections {
      let descriptor = Glibc.accept(listener.descriptor, nil, nil)
      guard descriptor >= 0 else {
        if errno == EMFILE || errno == ENFILE { makeRoom() }
        return
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      if connections.count >= limits.connections { dropMostSilent() }
      moment += 1
      connections.append(
        LocalConnection(descriptor, longestLine: limits.lineBytes, refusal, at: moment))
    }
  }

  private func makeRoom() {
    isExhausted = true
    dropMostSilent()
  }

  private func dropMostSilent() {
    guard let index = connections.indices.min(by: { connections[$0].last < connections[$1].last })
    else { return }
    connections.remove(at: index)
  }
}
