import Glibc

/// A program that this process starts and exchanges messages with. It gets no descriptor of this process
/// but the other end of ``socket``, nothing of its environment but what says how libraries are found and
/// work, and what it prints is lost. Killed with its last use.
package final class HelperProcess: Sendable {
  private let program: Program
  /// This process's end.
  package let socket: MessageSocket

  /// Starts a program by its path.
  package init(_ path: String, _ arguments: [String]) throws(File.Failure) {
    let (socket, other) = try MessageSocket.pair()
    let nothing = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { throw .last }
    defer { close(nothing) }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    program = try withExtendedLifetime(other) { () throws(File.Failure) in
      try Program(
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
    let own = Machine.variables.filter { variable in
      names.contains(String(variable.prefix { $0 != "=" }))
        || beginnings.contains { variable.hasPrefix($0) }
    }
    // Swift would have a program print a backtrace at a fault, and goes on where a signal was sent.
    return own + ["SWIFT_BACKTRACE=enable=no"]
  }

  /// Ends the program at once.
  package func kill() { program.kill() }

  /// How the program ends, which is waited for.
  package func ending() -> Program.Ending { program.waitForEnd() }
}
