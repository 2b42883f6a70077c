import GraphKitSystem

/// A command of an engine that runs tasks elsewhere.
package struct EngineCommand: Sendable {
  private let words: [String]
  private let log: String
  private let process: WorkerProcess

  /// Starts a command and sends it its input, all of it. What it says on its standard error is in
  /// `engine.txt` of the batch's logs. Throws where it isn't there.
  package init(_ words: [String], input: String = "", in folder: BatchFolder) throws(BatchError) {
    (self.words, log) = (words, "\(folder.logFolder)/engine.txt")
    do throws(File.Failure) {
      process = try WorkerProcess("/usr/bin/env", name: "env", words, log: log)
    } catch { throw Self.failure(words, error.text) }
    _ = process.send(input)
    process.endInput()
  }

  /// What a command writes to its standard output. Throws where it fails.
  package static func output(
    _ words: [String], input: String = "", in folder: BatchFolder
  ) throws(BatchError) -> String {
    let command = try EngineCommand(words, input: input, in: folder)
    var lines: [String] = []
    while !command.hasEnded { lines += command.lines(within: 1_000) }
    try command.finish()
    return lines.joined(separator: "\n")
  }

  /// Whether it writes no more.
  package var hasEnded: Bool { process.hasEnded }

  /// The lines that it writes next, for which it is waited for some time.
  package func lines(within milliseconds: Int32) -> [String] {
    WorkerProcess.wait(for: [process], milliseconds: milliseconds)
    return process.receive().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Ends it at once.
  package func kill() { process.kill() }

  /// Waits for its end. Throws where it failed.
  package func finish() throws(BatchError) {
    guard process.waitForEnd() != .exited(0) else { return }
    let said = (try? File(log)).flatMap {
      try? $0.read(at: max(0, $0.size - 1_000), count: 1_000)
    }
    let last = String(decoding: said ?? [], as: UTF8.self).split(separator: "\n").last
    throw Self.failure(words, last.map(String.init) ?? "it failed")
  }

  private static func failure(_ words: [String], _ reason: String) -> BatchError {
    BatchError(
      .unavailable, "graphctl batch", "`\(words.first ?? "")` failed: \(reason)",
      remedy: "run it where the engine's commands are, and give what it asks for by --engine-option"
    )
  }
}
