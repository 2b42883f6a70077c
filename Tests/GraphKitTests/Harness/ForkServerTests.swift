import Foundation
import TestTools
import Testing

/// What the tests run as ffmpeg and ffprobe is forked from where it is loaded, and does what it does when
/// it is started.
@Suite(.inTurn) struct ForkServerTests {
  /// Runs a line of a shell in a folder; returns what it writes, and its exit code.
  private func run(_ line: String, in folder: URL? = nil, _ variables: [String: String] = [:])
    throws -> (text: String, status: Int32)
  {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, output)
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text.trimmingCharacters(in: .newlines), process.terminationStatus)
  }

  @Test(arguments: ["ffmpeg", "ffprobe"]) func itIsForked(_ name: String) throws {
    let path = try run("command -v \(name)").text
    #expect(path.hasSuffix("/\(name)") && path.contains("/graphkit-forks-"), "\(path)")
    let version = try run("\(name) -version")
    #expect(version.status == 0 && version.text.hasPrefix("\(name) version "), "\(version)")
  }

  @Test func itHasItsWordsFolderVariablesAndStreams() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fork-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let made = try run(
      "printf abcdefgh | ffmpeg -v error -f s16le -ar 8000 -ac 1 -i - -f s16le - > out.raw",
      in: folder, ["FFREPORT": "file=said out.log"])
    #expect(made == ("", 0))
    #expect(try Data(contentsOf: folder.appending(path: "out.raw")) == Data("abcdefgh".utf8))
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "said out.log").path))
  }

  @Test func itEndsAsItDoes() throws {
    let missing = try run("ffmpeg -v error -i /nowhere -f null -")
    #expect(missing == ("/nowhere: No such file or directory", 1))
    // It would go on for ten minutes.
    let long = "ffmpeg -v quiet -re -f lavfi -i sine=d=600 -f null -"
    let ended = try run("timeout --preserve-status -k 20 0.2 \(long)")
    #expect(ended.status != 0 && ended.status != 128 + SIGKILL, "\(ended)")
  }
}
