import ArgumentParser

/// `graphctl run`
struct Run: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "run",
    // Parsed on its own, this command needn't be asked for completions; see `Main`.
    _superCommandName: "graphctl",
    abstract: "Run a graph to its end.",
    discussion: """
      INT, TERM and HUP end the run in order: what was taken is written, files are completed, and \
      the exit code is 0. A second one ends the process at once. A run that one of them finds \
      before it has begun is ended at once, too.
      """)

  @OptionGroup var graph: GraphOptions
  @OptionGroup var files: OverwriteOption
  @Option(help: "How to write what was done, once it is done.") var format = OutputFormat.text
  @Option(
    defaultAsFlag: EventKinds.all, parsing: .next,
    help: ArgumentHelp(
      "Write what happens to standard output, as JSON lines: all, or the kinds that are listed.",
      valueName: "kinds"), completion: .list(EventKinds.names))
  var events: String?
  @Option(
    help: ArgumentHelp("Write what was done to a file, as JSON.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Write when stages ran and wires waited to a file, for Perfetto or Chrome.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var trace: String?
  @Option(
    help: ArgumentHelp(
      "Let `graphctl control` change the run through a socket, which only you may open.",
      valueName: "socket"), completion: .file())
  var control: String?
  @Flag(name: .shortAndLong, help: "Say nothing but errors.") var quiet = false
  @Option(
    help: ArgumentHelp(
      "End a run in which nothing has moved for some seconds.", valueName: "seconds"))
  var stallTimeout = GraphRun.Options().stallTimeout

  func validate() throws {
    guard stallTimeout > 0, stallTimeout.isFinite else {
      throw ValidationError("--stall-timeout takes a number of seconds above 0")
    }
    _ = try EventKinds(events)
    if events != nil, format == .json {
      throw ValidationError(
        "--events and --format json would both write to standard output; use --report FILE")
    }
  }

  func run() throws {
    var request = RunRequest(graph: graph.file)
    request.overwrites = files.overwrite
    request.options = GraphRun.Options(
      format: format, events: try EventKinds(events).kinds, report: report, trace: trace,
      control: control,
      isQuiet: quiet, stallTimeout: stallTimeout)
    try request.run()
  }
}
