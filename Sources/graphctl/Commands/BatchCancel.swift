import ArgumentParser
import Batch

/// `graphctl batch cancel`
struct BatchCancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel the jobs that a batch was handed to; what is done stays done.")

  @OptionGroup var batch: BatchFolderArgument

  func run() throws {
    do {
      let folder = BatchFolder(batch.folder)
      guard let jobs = SubmittedJobs(of: folder) else {
        throw BatchError(
          .noInput, folder.name, "it was handed to no engine",
          remedy: "end a batch of this machine by Ctrl-C")
      }
      try jobs.cancel(in: folder)
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
