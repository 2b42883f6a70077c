import Foundation
import TestTools

/// Other programs of the Swift toolchain.
enum Tool {
  struct Failure: Error { var output: String }

  /// Runs a program to its end; throws what it wrote where it fails.
  static func run(_ name: String, _ arguments: [String], in place: URL) async throws {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = place
    let output = try folder.writing("output")
    (process.standardOutput, process.standardError) = (output, output)
    let (ended, continuation) = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in continuation.finish() }
    try process.start()
    // It has it now; Foundation would keep it open for as long as this process runs.
    try output.close()
    for await _ in ended {}
    guard process.terminationStatus == 0 else { throw Failure(output: folder.text("output")) }
  }
}
