import GStreamer
import GraphKit
import GraphKitSystem

/// One attempt of an item: the graph is checked, planned and run, its outputs are published, and then
/// the record.
struct ItemRun {
  let job: BatchJob
  let folder: BatchFolder
  /// The cores that a run is planned for; `nil` for those of the machine. Outputs don't depend on it.
  let cores: Int?
  let stallTimeout: Double

  private var records: BatchRecords { folder.records }

  /// Codes of failures that come before there is a report.
  private enum Code {
    static let graph = 65, noInput = 66, unavailable = 69, cannotCreate = 73, stalled = 75
  }

  private struct Failure: Error {
    var status: Int
    var message: String
  }

  /// Runs an item that isn't done yet.
  func run(_ item: BatchItem, attempt: Int) -> WorkerAnswer {
    if records.isDone(item.id) { return WorkerAnswer(item.id, .doneBefore) }
    let start = ContinuousClock.now
    do throws(Failure) {
      let isFirst = try complete(item, attempt, start)
      return WorkerAnswer(item.id, isFirst ? .done : .doneBefore)
    } catch {
      // Another worker, to which the same item was given, may have been first with everything.
      if records.isDone(item.id) { return WorkerAnswer(item.id, .doneBefore) }
      let record = FailedRecord(
        id: item.id, input: item.input, status: error.status,
        message: item.message(error.message), seconds: start.secondsUntilNow)
      return WorkerAnswer(item.id, .failed(record))
    }
  }

  private func complete(
    _ item: BatchItem, _ attempt: Int, _ start: ContinuousClock.Instant
  ) throws(Failure) -> Bool {
    try refuseChanged(item)
    let environment = RunEnvironment(base: LiveEnvironment())
    let input = try bring { () throws(StagingCommand.Failure) in
      try FetchedInput(item.input, id: item.id, by: job.staging.get)
    }
    defer { withExtendedLifetime(input) {} }
    var plan = try planned(item, input.path, in: environment)
    let staged = try place(item) { () throws(File.Failure) in
      try StagedOutputs(
        plan.writtenPaths.map(\.path), id: item.id, isRemote: command(for: item) != nil)
    }
    defer { staged.remove() }
    plan.redirectOutputs(staged.place)
    let report = try completed(plan, staged, in: environment)
    // What another worker has published is as good, and a record belongs to it.
    let outputs = records.isDone(item.id) ? [] : try published(staged, item)
    let record = DoneRecord(
      id: item.id, input: item.input, outputs: outputs, report: report, host: Machine.hostName,
      seconds: start.secondsUntilNow, attempt: attempt)
    return try place(item) { () throws(File.Failure) in
      outputs.isEmpty && records.isDone(item.id) ? false : try records.publish(record)
    }
  }

  /// Pieces of one file must be of the same file.
  private func refuseChanged(_ item: BatchItem) throws(Failure) {
    let modified = File.facts(of: item.input)?.modified
    // An address has no time, neither then nor now.
    guard item.piece != nil, modified ?? 0 != item.modified else { return }
    guard modified != nil else {
      throw Failure(status: Code.noInput, message: "`\(item.input)` isn't there any more")
    }
    throw Failure(
      status: Code.graph,
      message: "`\(item.input)` has changed since it was cut; `graphctl batch run` cuts it anew")
  }

  /// What brings an item's outputs away. Parts stay in the batch's folder.
  private func command(for item: BatchItem) -> StagingCommand? {
    item.piece == nil ? job.staging.put : nil
  }

  /// Puts the outputs where they belong.
  private func published(
    _ staged: StagedOutputs, _ item: BatchItem
  ) throws(Failure) -> [OutputRecord] {
    guard let put = command(for: item) else {
      return try place(item) { () throws(File.Failure) in try staged.publish() }
    }
    let files = try place(item) { () throws(File.Failure) in try staged.files() }
    for file in files {
      try bring { () throws(StagingCommand.Failure) in
        try put.run(remote: file.record.path, local: file.path)
      }
    }
    return files.map(\.record)
  }

  /// Brings a file from or to a store: what fails there may pass when it is tried again.
  private func bring<Result>(
    _ body: () throws(StagingCommand.Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(StagingCommand.Failure) { return try body() } catch {
      throw Failure(status: Code.stalled, message: error.message)
    }
  }

  private func planned(
    _ item: BatchItem, _ input: String, in environment: any Environment
  ) throws(Failure) -> Plan {
    let graph: Graph
    do { graph = try job.graph(input, item.finalValues, in: environment) } catch {
      throw Failure(status: job.status(of: error), message: error.lines.joined(separator: "\n"))
    }
    do { return try plan(item, graph) } catch {
      throw Failure(status: Code.graph, message: "\(error)")
    }
  }

  /// The plan of an item: of a file, of a piece of one, or of what puts pieces together.
  private func plan(_ item: BatchItem, _ graph: Graph) throws(PlanError) -> Plan {
    if let piece = item.piece {
      return try Plan(
        graph, piece: piece.stream, writing: item.outputs.first ?? "", cores: cores)
    }
    guard !item.pieces.isEmpty else { return try Plan(graph, cores: cores) }
    let count = item.pieces.count
    let parts = (0..<count).map { folder.part($0, of: count, of: item.id) }
    return try Plan(graph, merging: parts, cores: cores)
  }

  private func completed(
    _ plan: Plan, _ staged: StagedOutputs, in environment: any Environment
  ) throws(Failure) -> Report {
    var configuration = Pipeline.Configuration()
    configuration.stallTimeout = stallTimeout
    let pipeline: Pipeline
    do {
      pipeline = try Pipeline(plan, environment: environment, configuration: configuration)
    } catch { throw Failure(status: Code.unavailable, message: staged.revealed("\(error)")) }
    var report = pipeline.runHere()
    for index in report.outputs.indices {
      report.outputs[index].path = staged.revealed(report.outputs[index].path)
    }
    guard report.state == .completed else {
      let message = report.failure?.description ?? "the run was \(report.state.rawValue)"
      throw Failure(status: Int(job.codes.ofReport(report)), message: staged.revealed(message))
    }
    return report
  }

  /// Does something for the outputs or the record of an item.
  private func place<Result>(
    _ item: BatchItem, _ body: () throws(File.Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(File.Failure) { return try body() } catch {
      let outputs = item.outputs.map { "`\($0)`" }.joined(separator: ", ")
      throw Failure(
        status: Code.cannotCreate,
        message: "\(outputs) can't be written: \(error.text); make room, or give another output")
    }
  }
}

/// The machine, where an item's outputs may replace what the batch has made before.
private struct RunEnvironment: ForwardingEnvironment {
  let base: any Environment
  var replacesFiles: Bool { true }
  func outputPlace(_ path: String) -> OutputPlace { base.placeWithFolders(path) }
}

extension ContinuousClock.Instant {
  /// Seconds since then.
  var secondsUntilNow: Double { (.now - self) / .seconds(1) }
}
