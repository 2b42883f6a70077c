import ArgumentParser
import Batch
import GraphKitSystem

/// `graphctl batch status`
struct BatchStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say how far a batch is, and what failed.")

  @OptionGroup var batch: BatchFolderArgument
  @Flag(help: "Say it each second, until nothing is left or no process runs it.")
  var watch = false

  func run() throws {
    do {
      let folder = BatchFolder(batch.folder)
      var text = ""
      repeat {
        let account = BatchAccount(try folder.items(), folder.records)
        if text != account.text { try Console.data("\(folder.name): \(account.text)") }
        text = account.text
        guard watch, account.left > 0, folder.isLocked else { return try list(account) }
        StreamingThread.nap(microseconds: 1_000_000)
      } while true
    } catch let error as BatchError { throw CommandFailure(error) }
  }

  private func list(_ account: BatchAccount) throws {
    for failure in account.failures { try Console.data(failure.text) }
  }
}
