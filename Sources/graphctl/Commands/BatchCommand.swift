import ArgumentParser

/// `graphctl batch`
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Run a graph for each of many files.",
    discussion: """
      A batch is a folder: the plan, a record of each file that is done, one of each attempt that \
      failed. `batch GRAPH ITEM…` makes it and runs it; `batch run FOLDER` goes on with what isn't \
      done.

      INT, TERM and HUP have it finish the files that run and leave the rest; a second one ends it \
      at once.

      EXIT CODES
        0    every file is done
        74   some files failed; the records and the messages say why
        75   some files are left: a signal ended it, or another process runs the batch

      The others are those of `graphctl`. Nothing runs where the list or the graph is wrong.
      """,
    subcommands: [
      BatchStart.self, BatchRun.self, BatchStatus.self, BatchTasks.self, BatchWork.self,
      BatchFinish.self, BatchCancel.self, BatchClean.self, BatchWorkerCommand.self,
    ],
    defaultSubcommand: BatchStart.self)
}
