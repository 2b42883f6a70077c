import GStreamer
import GraphKit

/// A graph's way from its text to its end, with all that is shown and written on the way.
struct GraphRun {
  /// What is shown and written.
  struct Options {
    /// How what was done is written to standard output.
    var format = OutputFormat.text
    /// The kinds of events that are written.
    var events: Set<PipelineEvent.Name> = []
    /// Files for what was done, and for when stages ran and wires waited.
    var report: String?
    var trace: String?
    /// Where the run can be controlled from outside.
    var control: String?
    var isQuiet = false
    /// After how many seconds without movement a run is ended.
    var stallTimeout = 10.0

    var writesEvents: Bool { !events.isEmpty }
  }

  private let text: GraphText
  private let environment: any Environment
  private let options: Options
  /// The graph's file, which nothing may be written over; `-` where it has none.
  private let file: String

  init(
    _ text: GraphText, of file: String = "-", in environment: any Environment, _ options: Options
  ) {
    self.text = text
    self.file = file
    self.environment = environment
    self.options = options
  }

  /// Runs the graph to its end. Throws where it doesn't complete.
  func run(_ interruption: Interruption) throws {
    let (_, plan) = try text.planned(in: environment, isQuiet: options.isQuiet)
    try claimFiles(plan)
    try checkStandardOutput(plan)
    let pipeline = try make(plan)
    // Files that can't be written are found before the run rather than after it.
    let (reportFile, traceFile) = (
      try options.report.map(DataFile.init), try options.trace.map(DataFile.init)
    )
    let socket = try options.control.map { try open($0, pipeline) }
    let watch = RunWatch(
      events: options.events, showsProgress: !options.isQuiet
    ).begin(pipeline)
    interruption.attach(pipeline)
    let result = pipeline.runHere()
    socket?.close()
    watch?.waitForEnd()
    try reportFile?.write(JSONTree(encoding: result).json)
    try traceFile?.write(JSONTree(encoding: pipeline.trace).jsonLine + "\n")
    if options.trace != nil, !options.isQuiet, let limit = result.limitedBy {
      Console.message("limited by: \(limit)")
    }
    try conclude(
      result, interruption, messagesOnly: options.writesEvents || plan.writesStandardOutput)
    tellOfInterruption(interruption, plan, result)
    if let failure = watch?.failure { throw failure }
  }

  /// No file is written that has another use.
  private func claimFiles(_ plan: Plan) throws {
    for (name, path) in [("--report", options.report), ("--trace", options.trace)] where path == "-"
    {
      throw CommandFailure(
        status: .badUsage,
        message: "graphctl: error: \(name) takes a file, and not standard output; give its path, "
          + (name == "--report" ? "or `--format json` instead" : "such as trace.json"))
    }
    var files = try FilesInUse(graph: file, plan, in: environment)
    if let report = options.report { try files.claim(report, "--report writes", for: "--report") }
    if let trace = options.trace { try files.claim(trace, "--trace writes", for: "--trace") }
    if let control = options.control {
      try files.claim(control, "--control listens at", for: "--control")
    }
  }

  /// Standard output carries data of one kind only.
  private func checkStandardOutput(_ plan: Plan) throws {
    guard plan.writesStandardOutput, options.writesEvents || options.format == .json else { return }
    throw CommandFailure(
      status: .badGraph,
      message: "\(text.name): error: a node writes to standard output, and so would "
        + "\(options.writesEvents ? "--events" : "--format json"); leave that out, or use --report FILE"
    )
  }

  private func make(_ plan: Plan) throws -> Pipeline {
    var configuration = Pipeline.Configuration()
    configuration.stallTimeout = options.stallTimeout
    configuration.keepsTrace = options.trace != nil
    do { return try Pipeline(plan, environment: environment, configuration: configuration) } catch {
      throw CommandFailure(status: .unavailable, message: "\(text.name): error: \(error)")
    }
  }

  private func open(_ path: String, _ pipeline: Pipeline) throws -> ControlSocket {
    do { return try ControlSocket(for: pipeline, at: path) } catch {
      throw CommandFailure(status: .cannotCreate, message: "graphctl: error: \(error)")
    }
  }

  /// A signal is the ordinary end of a live recording; for a file, the output may lack the rest.
  private func tellOfInterruption(_ interruption: Interruption, _ plan: Plan, _ result: Report) {
    guard !options.isQuiet, interruption.hasCome, result.state == .completed,
      !plan.nodes.contains(where: \.node.traits.isLive)
    else { return }
    Console.message(
      "\(text.name): warning: a signal ended it; the rest of the input is missing")
  }

  private func conclude(
    _ result: Report, _ interruption: Interruption, messagesOnly: Bool
  ) throws {
    if options.format == .json { try Console.json(result) }
    switch result.state {
    case .completed:
      guard !options.isQuiet, options.format == .text else { return }
      for line in RunSummary(result).lines {
        if messagesOnly { Console.message(line) } else { try Console.data(line) }
      }
    case .cancelled:
      interruption.endProcess()
    default:
      throw CommandFailure(
        status: ExitStatus(result), message: RunSummary(result).failure(of: text.name))
    }
  }
}
