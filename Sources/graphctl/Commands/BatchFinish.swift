import ArgumentParser
import Batch

/// `graphctl batch finish`
struct BatchFinish: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Take account of a batch whose tasks were run elsewhere, and write its summary.")

  @OptionGroup var batch: BatchFolderArgument

  func run() throws {
    do {
      let folder = BatchFolder(batch.folder)
      let account = BatchAccount(try folder.items(), folder.records)
      try BatchPlan.summarize(account, in: folder)
      for failure in account.failures { Console.message(failure.text) }
      try BatchConsole(folder.name, isQuiet: false).conclude(account)
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
