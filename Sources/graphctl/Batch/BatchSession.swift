import Batch
import GStreamer
import GraphKit
import GraphKitSystem

/// A batch whose folder is there, and what it takes to run its items.
struct BatchSession {
  let folder: BatchFolder
  let description: BatchDescription
  let job: BatchJob

  /// Opens a folder; from now on the process's paths begin where the batch's do.
  init(_ path: String) throws {
    folder = BatchFolder(path)
    description = try folder.description()
    do throws(File.Failure) { try Machine.changeFolder(to: description.workingFolder) } catch {
      throw BatchError(
        .noInput, description.workingFolder,
        "the folder that the batch's paths begin at can't be entered: \(error.text)",
        remedy: "bring it back, or make the batch anew")
    }
    let text = GraphText(
      name: description.graph, bytes: try folder.graph(),
      catalog: try Catalog(plugins: description.plugins))
    job = BatchJob(
      try text.document(), text: text.bytes, catalog: text.catalog,
      inputParameter: description.inputParameter, program: Graphctl.configuration.version,
      staging: try Staging(description.stage), codes: .ofRuns)
  }

  /// Does what isn't done of some items, and says what became of them. Throws where not all are done.
  func run(
    _ items: [BatchItem], merges: [BatchItem] = [], _ options: BatchSupervisor.Options,
    isQuiet: Bool, summarizes: Bool = true
  ) throws {
    try follow(items, isQuiet: isQuiet, summarizes: summarizes) { console, interruption in
      var supervisor = BatchSupervisor(folder, items, merges: merges, options, interruption)
      return try supervisor.run(
        onProgress: { console.show($0) }, onFailure: { console.show($0) })
    }
  }

  /// Waits for tasks that Ray runs, and says what became of the items.
  func run(_ tasks: RayRun, _ options: BatchRunOptions) throws {
    let items = try folder.items()
    try follow(items, isQuiet: options.quiet, summarizes: true) { console, interruption in
      var account = try tasks.run(interruption) { console.show($0) }
      if !account.isInterrupted { account.update(try merged(options, &console, interruption)) }
      for failure in account.failures { console.show(failure) }
      return account
    }
  }

  /// Puts pieces of long files together that tasks elsewhere have left so, takes account of all, and
  /// writes the summary. Throws where not all is done.
  func finish(_ options: BatchRunOptions) throws {
    let items = try folder.items()
    try follow(items, isQuiet: options.quiet, summarizes: true) { console, interruption in
      let account = try merged(options, &console, interruption)
      for failure in account.failures { console.show(failure) }
      return account
    }
  }

  /// Puts pieces together that are all there, and takes account of all items.
  private func merged(
    _ options: BatchRunOptions, _ console: inout BatchConsole, _ interruption: BatchInterruption
  ) throws -> BatchAccount {
    let items = try folder.items()
    let wholes = items.filter { !$0.pieces.isEmpty }
    if !wholes.isEmpty {
      var given = options.options
      given.logName = "merge"
      var supervisor = BatchSupervisor(folder, [], merges: wholes, given, interruption)
      _ = try supervisor.run(onProgress: { _ in }, onFailure: { _ in })
    }
    return BatchAccount(items, folder.records)
  }

  /// Does the work on some items until it is over or a signal ends it, and says what became of them.
  /// Throws where not all are done.
  private func follow(
    _ items: [BatchItem], isQuiet: Bool, summarizes: Bool,
    _ work: (inout BatchConsole, BatchInterruption) throws -> BatchAccount
  ) throws {
    var console = BatchConsole(folder.name, isQuiet: isQuiet)
    var account = try work(&console, BatchSignals.run())
    console.end()
    BatchSignals.endIfUrgent()
    account.warnings = BatchWarnings(items, folder.records)
    if summarizes { try BatchPlan.summarize(account, in: folder) }
    try console.conclude(account, isSummarized: summarizes)
  }
}

extension ExitCodes {
  /// The codes of `graphctl run`.
  static let ofRuns = ExitCodes(
    ofErrors: { ExitStatus($0, $1, $2).rawValue }, ofReport: { ExitStatus($0).rawValue })
}

extension CommandFailure {
  /// Why a batch can't be made or run.
  init(_ error: BatchError) {
    let status: ExitStatus =
      switch error.kind {
      case .usage: .badUsage
      case .graph: .badGraph
      case .noInput: .noInput
      case .cannotCreate: .cannotCreate
      case .inUse: .stalled
      case .unavailable: .unavailable
      }
    self.init(status: status, message: error.description)
  }
}
