import GraphKitSystem

/// A command of an array engine, run to its end.
package enum EngineCommand {
  /// What it has written to its standard output. Throws where it isn't there or fails; what it then
  /// says is in `engine.txt` of the batch's logs.
  package static func output(
    _ words: [String], input: String = "", in folder: BatchFolder
  ) throws(BatchError) -> String {
    let log = "\(folder.logFolder)/engine.txt"
    let process: WorkerProcess
    do throws(File.Failure) {
      process = try WorkerProcess("/usr/bin/env", name: "env", words, log: log)
    } catch { throw failure(words, error.text) }
    _ = process.send(input)
    process.endInput()
    var lines: [String] = []
    while !process.hasEnded {
      WorkerProcess.wait(for: [process], milliseconds: 1_000)
      lines += process.receive().map { String(decoding: $0, as: UTF8.self) }
    }
    guard process.waitForEnd() == .exited(0) else {
      let said = (try? File(log)).flatMap {
        try? $0.read(at: max(0, $0.size - 1_000), count: 1_000)
      }
      let last = String(decoding: said ?? [], as: UTF8.self).split(separator: "\n").last
      throw failure(words, last.map(String.init) ?? "it failed")
    }
    return lines.joined(separator: "\n")
  }

  private static func failure(_ words: [String], _ reason: String) -> BatchError {
    BatchError(
      .unavailable, "graphctl batch", "`\(words.first ?? "")` failed: \(reason)",
      remedy: "run it where the engine's commands are, and give what it asks for by --engine-option"
    )
  }
}
