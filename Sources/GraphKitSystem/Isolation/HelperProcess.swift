import Glibc

/// A program that this process starts and exchanges messages with. It gets no descriptor of this process
/// but the other end of ``socket``, nothing of its environment but what says how libraries are found and
/// work, and what it prints is lost. Killed with its last use.
package final class HelperProcess: Sendable {
  private let number: pid_t
  /// This process's end.
  package let socket: MessageSocket
  private let ending = Monitor<Ending?>(nil)

  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// In words, after "it".
    package var text: String {
      switch self {
      case .exited(let code): "ended with exit code \(code)"
      case .killed(let signal):
        unsafe "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
      }
    }
  }

  /// Starts a program by its path.
  package init(_ path: String, _ arguments: [String]) throws(File.Failure) {
    let (socket, other) = try MessageSocket.pair()
    let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { throw .last }
    defer { close(nothing) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    number = try withExtendedLifetime(other) { () throws(File.Failure) in
      try Program.start(
        path, [name] + arguments, standardStreams: [other.number, nothing, nothing],
        variables: Self.variables)
    }
    self.socket = socket
  }

  /// What a program may know of this process's environment, where others have passwords.
  private static var variables: [String] {
    let names: Set = [
      "PATH", "HOME", "LANG", "TZ", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH",
    ]
    let beginnings = ["GST_", "G_", "LC_", "ORC_", "MALLOC_"]
    return Machine.variables.filter { variable in
      names.contains(String(variable.prefix { $0 != "=" }))
        || beginnings.contains { variable.hasPrefix($0) }
    }
  }

  deinit {
    kill()
    _ = awaitEnding()
  }

  /// Ends the program at once.
  package func kill() {
    // Its number is its own until it has been waited for.
    ending.withLock { if $0 == nil { _ = Glibc.kill(number, SIGKILL) } }
  }

  /// Waits until the program has ended.
  package func awaitEnding() -> Ending {
    ending.withLock { ending in
      if let ending { return ending }
      var status: Int32 = 0
      while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      let new = signal == 0 ? Ending.exited(status >> 8 & 0xff) : .killed(signal: signal)
      ending = new
      return new
    }
  }
}
