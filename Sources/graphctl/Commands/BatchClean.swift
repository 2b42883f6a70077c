import ArgumentParser
import Batch

/// `graphctl batch clean`
struct BatchClean: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove a batch's folder and what attempts have left; outputs stay.")

  @OptionGroup var batch: BatchFolderArgument

  func run() throws {
    do {
      let session = try BatchSession(batch.folder)
      let lock = try session.folder.locked()
      defer { withExtendedLifetime(lock) {} }
      try BatchPlan.remove(session.folder)
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
