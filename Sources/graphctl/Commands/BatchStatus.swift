import ArgumentParser
import Batch
import GraphKitSystem

/// `graphctl batch status`
struct BatchStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say how far a batch is, what failed, and what was out of the ordinary.")

  @OptionGroup var batch: BatchFolderArgument
  @Flag(help: "Say it each second, until nothing is left or nothing runs it.")
  var watch = false

  func run() throws {
    do {
      let folder = BatchFolder(batch.folder)
      var text = ""
      var pace = BatchPace()
      repeat {
        let items = try folder.items()
        var account = BatchAccount(items, folder.records)
        // Each record is read for them.
        if !watch { account.warnings = BatchWarnings(items, folder.records) }
        let jobs = account.left > 0 ? try SubmittedJobs(of: folder)?.states(in: folder) ?? "" : ""
        let time =
          pace.progress(account).secondsLeft.map { ", about \($0.rounded(.up).clock)" } ?? ""
        let next = account.text + (jobs.isEmpty ? "" : "; tasks of Slurm: \(jobs)")
        if text != next {
          try Console.data(
            "\(folder.name): \(account.text)\(time)" + next.dropFirst(account.text.count))
        }
        text = next
        guard watch, account.left > 0, folder.isLocked || !jobs.isEmpty else {
          if watch { account.warnings = BatchWarnings(items, folder.records) }
          return try list(account, of: folder)
        }
        StreamingThread.nap(microseconds: 1_000_000)
      } while true
    } catch let error as BatchError { throw CommandFailure(error) }
  }

  private func list(_ account: BatchAccount, of folder: BatchFolder) throws {
    for failure in account.failures { try Console.data(failure.text) }
    let warnings = account.warnings
    let isSummarized = folder.isSummarized && account.left == 0
    for line in warnings.lines(of: folder.name, isSummarized: isSummarized) {
      try Console.data(line)
    }
  }
}
