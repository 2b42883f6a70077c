import Foundation
import TestTools
import Testing

/// What the tests read the lines of programs with.
@Suite(.inTurn) struct LinesTests {
  /// Starts a shell that writes to a pipe.
  private func lines(of script: String) throws -> (Lines, Process) {
    let (pipe, process) = (Pipe(), Process())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    let lines = Lines(of: pipe)
    try process.start()
    try pipe.fileHandleForWriting.close()
    return (lines, process)
  }

  /// More is left in the pipe than is read at a time, and its writer is no more.
  @Test func whatAWriterHasLeftIsReadToItsEnd() async throws {
    let (lines, process) = try lines(of: "head -c 60000 /dev/zero | tr '\\0' x; echo; echo last")
    process.waitUntilExit()
    #expect(await lines.wait(for: "last"))
    #expect(await lines.wait(for: "more") == false)
  }

  @Test func aWriterFindsOutThatNothingIsReadAnyMore() async throws {
    let (lines, process) = try lines(of: "while echo x; do :; done 2> /dev/null; exit 3")
    #expect(await lines.next() == "x")
    lines.stop()
    process.waitUntilExit()
    let isKilled = process.terminationReason == .uncaughtSignal
    #expect(isKilled ? process.terminationStatus == SIGPIPE : process.terminationStatus == 3)
    #expect(await lines.wait(for: "y") == false)
  }
}
