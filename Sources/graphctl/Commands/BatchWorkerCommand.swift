import ArgumentParser
import Batch

/// `graphctl batch worker`: the process in which a supervisor has items done.
struct BatchWorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Do the items that come by standard input.",
    shouldDisplay: false)

  @OptionGroup var batch: BatchFolderArgument
  @Option(help: "The cores that a run is planned for.") var cores: Int?
  @Option(help: "As of `graphctl run`.") var stallTimeout = 10.0

  func run() throws {
    do {
      let session = try BatchSession(batch.folder)
      BatchWorker(
        session.job, session.folder, cores: cores, stallTimeout: stallTimeout
      ).work()
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
