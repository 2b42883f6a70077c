import ArgumentParser
import GraphKit
import GraphKitSystem

/// `graphctl repair`
struct Repair: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Complete movies that were cut off while they were recorded.",
    discussion: """
      A movie in fragments, of GraphKit or of another program, becomes an ordinary one with all \
      samples that are whole, in place and without a copy: the new index is added, and one small \
      write makes it count. A movie that is whole stays as it is.
      """)

  @Argument(
    help: ArgumentHelp("The movies: .mp4, .m4v, .m4a or .mov.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the repaired movie here, and leave the file as it is.", valueName: "file"),
    completion: .file())
  var output: String?
  @Flag(help: "Replace a file that is there already.") var overwrite = false
  @Option(help: "How to write the result.") var format = OutputFormat.text

  func validate() throws {
    guard output != nil, files.count > 1 else { return }
    throw ValidationError("--output takes one movie, and \(files.count) are given")
  }

  func run() throws {
    var results: [Result] = []
    var failure: CommandFailure?
    for file in files {
      do { results.append(try repair(file)) } catch let error as CommandFailure {
        if files.count > 1 { Console.message(error.message) }
        failure = error
      }
    }
    if format == .json { try Console.json(results) }
    guard let failure else { return }
    throw CommandFailure(status: failure.status, message: files.count > 1 ? "" : failure.message)
  }

  fileprivate struct Result: Encodable {
    var file: String
    var findings: MovieRepair.Findings
  }

  private func repair(_ file: String) throws -> Result {
    do {
      let findings = try output.map { try repair(file, into: $0) } ?? MovieRepair.repair(file)
      let result = Result(file: output ?? file, findings: findings)
      if format == .text { try Console.data(result.line) }
      return result
    } catch let error as NodeError {
      throw CommandFailure(
        status: .failed, message: "graphctl: error: \(error.message)\n  \(error.remedy)")
    }
  }

  /// Repairs a copy, which has its name only once it is whole.
  private func repair(_ file: String, into copy: String) throws -> MovieRepair.Findings {
    guard overwrite || !File.exists(copy) else {
      throw CommandFailure(
        status: .cannotCreate,
        message: "graphctl: error: `\(copy)` is there already\n"
          + "  give another path, or `--overwrite`")
    }
    let draft = "\(copy).repair"
    File.remove(draft)
    defer { File.remove(draft) }
    do {
      try File.copy(file, to: draft)
      let findings = try MovieRepair.repair(draft)
      try File.rename(draft, to: copy)
      return findings
    } catch let error as File.Failure {
      throw CommandFailure(
        status: .failed,
        message: "graphctl: error: `\(file)` can't be copied to `\(copy)`: \(error.text)")
    }
  }
}

extension Repair.Result {
  /// What was found, in a line.
  var line: String {
    guard findings.wasFragmented else { return "\(file): whole already; nothing was changed" }
    let lost =
      findings.lostBytes > 0
      ? "; \(findings.lostBytes) bytes at the end held no whole sample" : ""
    return "\(file): repaired: \(findings.movie.text)\(lost)"
  }
}
