import ArgumentParser
import GraphKit
import GraphKitSystem

/// `graphctl new`
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a graph to begin with, or list them.",
    discussion: """
      Without a name all are listed. Each is complete, and says in its `description` what may be \
      changed.
      """)

  @Argument(
    help: "The graph to begin with, such as record or transcode.",
    completion: .custom { _, _, _ in Start.all.map { $0.name } })
  var name: String?
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write; standard output by default.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var output: String?
  @Flag(help: "Replace a file that is there already.") var overwrite = false

  func validate() throws {
    guard name == nil, output != nil || overwrite else { return }
    throw ValidationError("say which graph to begin with; `graphctl new` lists them")
  }

  func run() throws {
    guard let name else { return try Console.data(Self.list) }
    guard let start = Start.all.first(where: { $0.name == name }) else {
      throw CommandFailure(
        status: .badUsage,
        message: "graphctl: error: there is no graph `\(excerpt(name))` to begin with; "
          + (suggestion(for: name, Start.all.map { $0.name }) ?? "`graphctl new` lists them"))
    }
    guard let output, output != "-" else { return try Console.data(start.json) }
    try write(start, to: output)
  }

  private static var list: String {
    Table.text(Start.all.map { [$0.name, $0.help] }, indent: 0)
  }

  private func write(_ start: Start, to path: String) throws {
    guard overwrite || !File.exists(path) else {
      throw CommandFailure(
        status: .cannotCreate,
        message: "graphctl: error: `\(path)` is there already; give another path, or `--overwrite`")
    }
    try DataFile(path).write(start.json + "\n")
    let values = start.requiredParameters.map { " --set \($0)=FILE" }.joined()
    Console.message("\(path): change it as you like, then: graphctl run \(path)\(values)")
  }
}
