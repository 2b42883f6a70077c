import Foundation
import TestTools
import Testing

/// The commands of the README do what it says.
@Suite(.inTurn) struct ShellExampleTests {
  /// A command and what it prints.
  struct Command: CustomStringConvertible {
    var line: String
    var output: String
    var description: String { line }
  }

  static func commands() throws -> [Command] {
    let blocks = try DocumentExample.all(in: "README.md").filter { $0.note == "run by the tests" }
    return blocks.flatMap { block in
      block.text.components(separatedBy: "$ ").dropFirst().map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return Command(line: String(lines[0]), output: lines.count > 1 ? String(lines[1]) : "")
      }
    }
  }

  /// The executable lies beside the tests, which are this process.
  static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/exe")).map { process in
      URL(filePath: process).deletingLastPathComponent().appending(path: "graphctl")
    }

  @Test func theCommandsPrintWhatTheReadmeShows() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "graphs"),
      withDestinationURL: Repository.root.appending(path: "graphs"))
    let commands = try Self.commands()
    #expect(commands.count >= 3)
    for command in commands {
      let output = try run(command.line, in: folder)
      #expect(shape(of: output) == shape(of: command.output), "\(command): \(output)")
    }
  }

  /// The last line of `make record`, whose times and sizes depend on the machine.
  @Test func aRecordingSaysWhatTheReadmeShows() throws {
    let readme = try Repository.text("README.md")
    let line = try #require(
      readme.components(separatedBy: "\n").first { $0.hasPrefix("record.mp4: ") })
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let graph = Repository.root.appending(path: "graphs/record.json").path
    let output = try run("graphctl run \(graph) --set seconds=1", in: folder)
    #expect(shape(of: output) == shape(of: line + "\n"), "\(output)")
  }

  /// The text with every number and the unit of a size as `N`.
  private func shape(of text: String) -> String {
    text.replacing(/[0-9]+(\.[0-9]+)?( (B|kB|MB|GB)\b)?/, with: "N")
      .replacing("mpN", with: "mp4")
  }

  private func run(_ line: String, in folder: URL) throws -> String {
    let graphctl = try #require(Self.executable, "graphctl is built with the tests")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec timeout 60 " + line]
    process.currentDirectoryURL = folder
    let paths = "\(graphctl.deletingLastPathComponent().path):/usr/bin:/bin"
    let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
    process.environment = sanitizers.merging(
      [
        "PATH": paths, "HOME": folder.path, "PULSE_SERVER": "unix:/nowhere",
        "XDG_CACHE_HOME": Process.cacheFolder,
      ]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.start()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(line)")
    return text
  }
}
