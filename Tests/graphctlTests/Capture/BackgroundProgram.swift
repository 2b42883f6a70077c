import Foundation
import TestTools

/// A program that runs beside a test: ended with its last use.
final class BackgroundProgram {
  let lines: Lines
  private let process = Process()
  private let identifier: Int32

  /// Starts a program; `lines` has what it writes to its standard output.
  init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) async throws {
    let pipe = Pipe()
    lines = Lines(of: pipe)
    process.executableURL = URL(filePath: "/bin/sh")
    // A shell stands between: some programs close every file that they inherit, which Foundation
    // takes for their end, and then it waits for them and sees no other process end.
    // It says its number before it becomes the program, which may have something to say itself.
    let script = "sh -c 'echo $$; exec \"$@\"' sh \"$@\" & wait"
    process.arguments = ["-c", script, "sh", name] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.start()
    identifier = await lines.next().flatMap { Int32($0) } ?? 0
  }

  deinit {
    lines.stop()
    stop()
  }

  /// Ends it.
  func stop() {
    // Not a signal that can be blocked: the threads of tests block most, and hand that on.
    if identifier > 0 { kill(identifier, SIGKILL) }
    kill(process.processIdentifier, SIGKILL)
  }
}
