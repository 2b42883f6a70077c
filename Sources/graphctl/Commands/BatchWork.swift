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
  @Option(
    help: ArgumentHelp(
      "Be one of so many backup tasks, which do what the others have left.", valueName: "count"))
  var backupOf: Int?
  @OptionGroup var running: BatchRunOptions

  func run() throws {
    BatchSignals.listen()
    do {
      let session = try BatchSession(batch.folder)
      let number = try task ?? Self.numberOfEngine()
      let all = try session.folder.items()
      let items = try items(of: number, all, in: session.folder)
      // The task that ends last puts the pieces of a long file together.
      let wholes = Set(items.compactMap { $0.piece?.item })
      try session.run(
        items, merges: all.filter { wholes.contains($0.id) }, options(for: number),
        isQuiet: running.quiet, summarizes: false)
    } catch let error as BatchError { throw CommandFailure(error) }
  }

  private func options(for number: Int) -> BatchSupervisor.Options {
    var options = running.options
    // What Slurm has given to the task, which may be less than the machine has.
    let given = Machine.variable("SLURM_CPUS_ON_NODE").flatMap { Int($0) }
    if running.jobs == nil, let given { options.jobs = given }
    // Other tasks may have the rest of its cores.
    options.cores = given ?? running.jobs
    options.logName = "\(backupOf == nil ? "task" : "backup")-\(number)"
    options.keepsOrder = backupOf != nil
    return options
  }

  /// The items of a task, or those that a backup task finds left.
  private func items(
    of number: Int, _ all: [BatchItem], in folder: BatchFolder
  ) throws -> [BatchItem] {
    let tasks = try folder.tasks()
    if let backupOf {
      guard let backup = BackupTask(number: number, of: backupOf) else {
        throw BatchError(
          .usage, folder.name, "there is no backup task \(number) of \(backupOf)",
          remedy: "they count from 0")
      }
      return backup.items(of: tasks, all, folder.records)
    }
    guard let task = tasks.first(where: { $0.number == number }) else {
      throw BatchError(
        .usage, folder.name, "there is no task \(number)",
        remedy: "`graphctl batch tasks` lists them")
    }
    let names = Set(task.items)
    return all.filter { names.contains($0.id) }
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
