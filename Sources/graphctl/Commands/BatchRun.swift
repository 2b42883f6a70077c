import ArgumentParser
import Batch

/// `graphctl batch run`
struct BatchRun: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Go on with a batch: do what isn't done, or has changed.",
    discussion: """
      What failed for good isn't tried again, unless its file has changed, or with --retry-failed.
      """)

  @OptionGroup var batch: BatchFolderArgument
  @OptionGroup var running: BatchRunOptions
  @OptionGroup var engine: EngineOptions

  func run() throws {
    BatchSignals.listen()
    do {
      let session = try BatchSession(batch.folder)
      let lock = try session.folder.locked()
      defer { withExtendedLifetime(lock) {} }
      let items = try BatchPlan.renewed(session.description, session.job, in: session.folder)
      try engine.run(items, of: session, running)
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
