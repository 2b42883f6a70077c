import ArgumentParser
import Batch
import GStreamer
import GraphKit
import GraphKitSystem

/// `graphctl batch GRAPH ITEM…`
struct BatchStart: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Make a batch and run it; the word may be left out.",
    discussion: """
      Each item is a file, or a pattern such as 'media/**/*.mp3', whose files become the graph's \
      parameter `input`, one after the other. In values of --set, {path} is the file's path below \
      the folder at which the pattern begins and without its extension, {stem} the name without it, \
      {name} the name, {folder} the folder, and {id} a name of the item's own.

      Given again, it does what isn't done or has changed.
      """)

  @OptionGroup var graph: GraphOptions
  @OptionGroup var items: ItemOptions
  @Option(
    help: ArgumentHelp(
      "The batch's folder; by default the list's name, or the graph's, with .batch.",
      valueName: "folder"), completion: .directory)
  var batch: String?
  @OptionGroup var files: OverwriteOption
  @Option(help: ArgumentHelp("About how long a task is to take.", valueName: "minutes"))
  var taskMinutes = 10.0
  @Option(
    help: ArgumentHelp(
      "Bring each item's file here, or its outputs away, by a command: 'get=s5cmd cp {remote} {local}'.",
      discussion: "Once for get, once for put. No shell reads it.", valueName: "command"))
  var stage: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut each file into so many pieces, which are done apart and put together.",
      discussion: "For summaries of audio, such as waveforms, and for video that is encoded.",
      valueName: "number"))
  var pieces: Int?
  @Flag(help: "Check every item and its file, say what the tasks would be, and run nothing.")
  var dryRun = false
  @OptionGroup var running: BatchRunOptions
  @OptionGroup var engine: EngineOptions

  func validate() throws {
    guard taskMinutes > 0, taskMinutes.isFinite else {
      throw ValidationError("--task-minutes takes a number of minutes above 0")
    }
    if let pieces, !(1...BatchTask.limit).contains(pieces) {
      throw ValidationError(
        "--pieces takes a number of pieces from 1 to \(BatchTask.limit), and not \(pieces); "
          + "leave it out to do each file whole")
    }
    if pieces != nil, stage.contains(where: { $0.hasPrefix("get=") }) {
      throw ValidationError("--pieces would have each piece fetch the whole file; fetch it first")
    }
    if graph.graph == "-", items.isListedByInput {
      throw ValidationError("the graph and the list can't both come by standard input")
    }
  }

  func run() throws {
    BatchSignals.listen()
    do { try start() } catch let error as BatchError { throw CommandFailure(error) }
  }

  private func start() throws {
    let listed = try items.listed(graph.settings)
    let text = try graph.file.text()
    let job = BatchJob(
      try text.document(), text: text.bytes, catalog: text.catalog,
      inputParameter: items.inputParameter, program: Graphctl.configuration.version,
      staging: try Staging(stage), codes: .ofRuns)
    let folder = BatchFolder(batch ?? folderName)
    guard !dryRun else {
      return try say(try plan(listed, job, folder))
    }
    var lock = folder.isBatch ? try folder.locked() : nil
    defer { withExtendedLifetime(lock) {} }
    let planned = try plan(listed, job, folder)
    try folder.make()
    if lock == nil { lock = try folder.locked() }
    try BatchPlan.write(description(of: text.bytes), graph: text.bytes, planned, in: folder)
    try engine.run(planned, of: BatchSession(folder.path), running)
  }

  /// The items, those of a batch that is there among them.
  private func plan(
    _ listed: [ListedItem], _ job: BatchJob, _ folder: BatchFolder
  ) throws -> [BatchItem] {
    let former = folder.isBatch ? try folder.items() : []
    return try BatchPlanner.plan(
      listed, job, readsInputs: dryRun,
      pieces: BatchPlanner.Pieces(pieces ?? 0, in: folder), owned: Set(former.flatMap(\.outputs)),
      replaces: files.overwrite, secondsPerByte: folder.records.secondsPerByte(of: former))
  }

  private func description(of text: [UInt8]) -> BatchDescription {
    BatchDescription(
      graph: graph.name, digest: FileDigest.hexadecimal(of: text),
      workingFolder: Machine.workingFolder ?? ".", inputParameter: items.inputParameter,
      plugins: graph.types.plugins, overwrites: files.overwrite, taskMinutes: taskMinutes,
      stage: stage, pieces: pieces ?? 0, program: Graphctl.configuration.version)
  }

  private func say(_ planned: [BatchItem]) throws {
    let tasks = BatchTask.bundle(planned, seconds: taskMinutes * 60)
    let count = planned.count { $0.piece == nil }
    try Console.data(
      "\(graph.name): OK: \(count) item\(count == 1 ? "" : "s"), "
        + "\(tasks.count) task\(tasks.count == 1 ? "" : "s")")
    for item in planned where !item.pieces.isEmpty { try sayCuts(of: item, planned) }
    for task in tasks {
      try Console.data(
        "  task \(task.number): \(task.items.count) items, about \(task.cost.rounded(.up).clock)")
    }
  }

  /// Where the pieces of a file begin.
  private func sayCuts(of item: BatchItem, _ planned: [BatchItem]) throws {
    let starts = planned.compactMap { $0.piece?.item == item.id ? $0.piece?.start : nil }
    try Console.data("  \(item.input): \(starts.count) piece\(starts.count == 1 ? "" : "s")")
    for (number, start) in starts.enumerated() {
      try Console.data("    piece \(number + 1): from \(start.decimals(3)) s on")
    }
  }

  /// The name of the batch's folder.
  private var folderName: String {
    let file = items.list ?? (graph.graph == "-" ? "graph" : graph.graph)
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".batch"
  }
}
