import ArgumentParser
import Batch

/// `graphctl batch tasks`
struct BatchTasks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tasks",
    abstract: "Print a command for each task that isn't done, for other programs to run.")

  @OptionGroup var batch: BatchFolderArgument

  func run() throws {
    do {
      let folder = BatchFolder(batch.folder)
      for task in try folder.tasksToDo() {
        try Console.data(
          "graphctl batch work \(folder.path.quotedForShells) --task \(task.number)")
      }
    } catch let error as BatchError { throw CommandFailure(error) }
  }
}
