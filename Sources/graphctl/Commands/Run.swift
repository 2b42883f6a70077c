import ArgumentParser
import GStreamer
import GraphKit

/// `graphctl run`
struct Run: ParsableCommand {
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
  @Flag(help: "Write what happens to standard output, as JSON lines.") var events = false
  @Option(
    help: ArgumentHelp("Write what was done to a file, as JSON.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Write when stages ran and wires waited to a file, for Perfetto or Chrome.",
      valueName: "file"), completion: .file(extensions: ["json"]))
  var trace: String?
  @Flag(help: "Say nothing but errors.") var quiet = false
  @Option(
    help: ArgumentHelp(
      "End a run in which nothing has moved for some seconds.", valueName: "seconds"))
  var stallTimeout = 10.0

  func validate() throws {
    guard stallTimeout > 0, stallTimeout.isFinite else {
      throw ValidationError("--stall-timeout takes a number of seconds above 0")
    }
    if events, format == .json {
      throw ValidationError(
        "--events and --format json would both write to standard output; use --report FILE")
    }
  }

  func run() throws {
    let interruption = Interruption()
    Signals.listen { interruption.hear($0) }
    let environment = files.environment
    let (_, plan) = try graph.planned(in: environment, isQuiet: quiet)
    var files = try FilesInUse(graph: graph.graph, plan, in: environment)
    if let report { try files.claim(report, "--report writes", for: "--report") }
    if let trace { try files.claim(trace, "--trace writes", for: "--trace") }
    try checkStandardOutput(plan)
    let pipeline = try make(plan, environment)
    // Files that can't be written are found before the run rather than after it.
    let (reportFile, traceFile) = (try report.map(DataFile.init), try trace.map(DataFile.init))
    let watch = RunWatch(writesEvents: events, showsProgress: !quiet).begin(pipeline)
    interruption.attach(pipeline)
    pipeline.start()
    let result = pipeline.waitForReport()
    watch?.waitForEnd()
    try reportFile?.write(JSONTree(encoding: result).json)
    try traceFile?.write(JSONTree(encoding: pipeline.trace).jsonLine + "\n")
    try conclude(result, interruption, messagesOnly: events || plan.writesStandardOutput)
    if let failure = watch?.failure { throw failure }
  }

  /// Standard output carries data of one kind only.
  private func checkStandardOutput(_ plan: Plan) throws {
    guard plan.writesStandardOutput, events || format == .json else { return }
    throw CommandFailure(
      status: .badGraph,
      message: "\(graph.name): error: a node writes to standard output, and so would "
        + "\(events ? "--events" : "--format json"); leave that out, or use --report FILE")
  }

  private func make(_ plan: Plan, _ environment: any Environment) throws -> Pipeline {
    var configuration = Pipeline.Configuration()
    configuration.stallTimeout = stallTimeout
    configuration.keepsTrace = trace != nil
    do { return try Pipeline(plan, environment: environment, configuration: configuration) } catch {
      throw CommandFailure(status: .unavailable, message: "\(graph.name): error: \(error)")
    }
  }

  private func conclude(
    _ result: Report, _ interruption: Interruption, messagesOnly: Bool
  ) throws {
    if format == .json { try Console.json(result) }
    switch result.state {
    case .completed:
      guard !quiet, format == .text else { return }
      let text = RunSummary(result).text
      if messagesOnly { Console.message(text) } else if !text.isEmpty { try Console.data(text) }
    case .cancelled:
      interruption.endProcess()
    default:
      throw CommandFailure(
        status: ExitStatus(result), message: RunSummary(result).failure(of: graph.name))
    }
  }
}
