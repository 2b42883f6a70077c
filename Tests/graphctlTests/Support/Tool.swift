import Foundation
import TestTools

/// Programs other than the one that is tested.
enum Tool {
  struct Failure: Error { var output: String }

  /// Runs a program to its end; throws what it wrote where it fails.
  static func run(_ name: String, _ arguments: [String], in place: URL) async throws {
    let result = try await result(name, arguments, in: place)
    guard result.status == 0 else { throw Failure(output: result.output) }
  }

  /// Has ffmpeg make a file of nothing but its words, once for all tests that ask for the same.
  static func generate(_ words: [String], to name: String, in folder: Folder) throws {
    let command = words.joined(separator: " ")
    try GeneratedMedia.copy(of: command, to: folder.url.appending(path: name).path) { path in
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["ffmpeg", "-nostdin", "-v", "error"] + words + [path]
      try process.start()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Failure(output: command) }
    }
  }

  /// Runs a program to its end, with variables beside those of this process: its exit code, and all
  /// that it wrote.
  static func result(
    _ name: String, _ arguments: [String], in place: URL, environment: [String: String] = [:]
  ) async throws -> (status: Int32, output: String) {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = place
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = try folder.writing("output")
    (process.standardOutput, process.standardError) = (output, output)
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.start()
    // It has it now; Foundation would keep it open for as long as this process runs.
    try output.close()
    for await _ in ended {}
    return (process.terminationStatus, folder.text("output"))
  }
}
