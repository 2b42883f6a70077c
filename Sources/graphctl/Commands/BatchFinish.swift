import ArgumentParser
import Batch

/// `graphctl batch finish`
struct BatchFinish: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Take account of a batch whose tasks were run elsewhere, and write its summary.",
    discussion: """
      Where long files were done in pieces, those are put together that are all there and weren't yet.
      """)

  @OptionGroup var batch: BatchFolderArgument
  @OptionGroup var running: BatchRunOptions

  func run() throws {
    BatchSignals.listen()
    do {
      try BatchSession(batch.folder).finish(running)
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
