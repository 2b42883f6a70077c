import ArgumentParser
import Batch
import GraphKitSystem

/// `graphctl batch work`
struct BatchWork: ParsableCommand, TakesSignals {
  static let configuration = CommandConfiguration(
    commandName: "work",
    abstract: "Do one task of a batch: what an array engine starts on each node.",
    discussion: """
      Without --task the number is that of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, \
      AWS_BATCH_JOB_ARRAY_INDEX or SGE_TASK_ID, of which the last counts from 1.

      A task may run twice, also at the same time: outputs and records are the same.
      """)

  @OptionGroup var batch: BatchFolderArgument
  @Option(help: ArgumentHelp("The task, counted from 0.", valueName: "number"))
  var task: Int?
  @OptionGroup var running: BatchRunOptions

  func run() throws {
    BatchSignals.listen()
    do {
      let session = try BatchSession(batch.folder)
      let number = try task ?? Self.numberOfEngine()
      guard let task = try session.folder.tasks().first(where: { $0.number == number }) else {
        throw BatchError(
          .usage, session.folder.name, "there is no task \(number)",
          remedy: "`graphctl batch tasks` lists them")
      }
      let names = Set(task.items)
      let all = try session.folder.items()
      let items = all.filter { names.contains($0.id) }
      // The task that ends last puts the pieces of a long file together.
      let wholes = Set(items.compactMap { $0.piece?.item })
      var running = running
      // What Slurm has given to the task, which may be less than the machine has.
      running.jobs = running.jobs ?? Machine.variable("SLURM_CPUS_ON_NODE").flatMap { Int($0) }
      try session.run(
        items, merges: all.filter { wholes.contains($0.id) }, running, logName: "task-\(number)",
        summarizes: false)
    } catch let error as BatchError { throw CommandFailure(error) }
  }

  /// The variables by which engines say which task of an array it is, and the number of the first.
  private static let variables = [
    ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0), ("AWS_BATCH_JOB_ARRAY_INDEX", 0),
    ("SGE_TASK_ID", 1),
  ]

  private static func numberOfEngine() throws -> Int {
    for (name, first) in variables {
      if let number = Machine.variable(name).flatMap({ Int($0) }) { return number - first }
    }
    throw BatchError(
      .usage, "graphctl batch work", "which task isn't said",
      remedy: "give --task NUMBER, or set \(variables.map(\.0).joined(separator: ", "))")
  }
}
