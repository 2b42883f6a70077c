import ArgumentParser
import Batch
import GraphKitSystem

/// Where a batch's tasks run.
struct EngineOptions: ParsableArguments {
  /// What runs them.
  enum Engine: String, ExpressibleByArgument, CaseIterable {
    /// Worker processes of this machine.
    case here
    /// A job array of Slurm.
    case slurm
    /// Tasks of Ray.
    case ray
  }

  @Option(help: "Where the items are done.") var on = Engine.here
  @Option(
    name: .customLong("engine-option"),
    help: ArgumentHelp(
      "Hand an option on to `sbatch`, as in --engine-option=--partition=long, or to `ray.remote`, "
        + "as in --engine-option=num_cpus=2.",
      discussion: "May be given several times.", valueName: "option"))
  var options: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Do once more, on what is free near the end, what takes too long.",
      discussion: "Whichever attempt of an item ends first counts, and the other is ended."))
  var backupTasks = false

  func validate() throws {
    if on == .here, !options.isEmpty {
      throw ValidationError("--engine-option is for --on slurm and --on ray")
    }
    for option in options where on == .ray && !option.contains("=") {
      throw ValidationError("`\(option)`: options of Ray are given as NAME=VALUE, as in num_cpus=2")
    }
  }

  /// Does the items where they are to be done. Throws where not all that it waits for is done.
  func run(_ items: [BatchItem], of session: BatchSession, _ running: BatchRunOptions) throws {
    guard on != .here else {
      var options = running.options
      options.makesBackups = backupTasks
      return try session.run(items, options, isQuiet: running.quiet)
    }
    let folder = session.folder
    let tasks = try folder.tasksToDo()
    guard !tasks.isEmpty else {
      guard items.allSatisfy({ folder.records.isDone($0.id) || $0.pieces.isEmpty }) else {
        return try session.finish(running)
      }
      return try Console.data("\(folder.name): nothing is left to do")
    }
    guard let program = Machine.ownPath else {
      throw CommandFailure(
        status: .unavailable,
        message: "graphctl batch: error: the program's own path isn't known; mount /proc")
    }
    if on == .slurm { return try submit(tasks, of: folder, program) }
    try session.run(
      RayRun(
        tasks, backups: backupTasks ? BackupTask.count(for: tasks.count) : 0, program: program,
        options: options, in: folder), running)
  }

  /// Hands tasks to Slurm, which does them by and by.
  private func submit(_ tasks: [BatchTask], of folder: BatchFolder, _ program: String) throws {
    let job = SlurmJob(
      folder: folder.path, name: folder.name, program: program, options: options)
    let array = try send(job.array(of: tasks), folder)
    let backups = backupTasks ? try send(job.backups(of: tasks, after: array), folder) : ""
    let account = try send(
      job.account(after: [array, backups].filter { !$0.isEmpty }), folder)
    try SubmittedJobs(tasks: array, backups: backups, account: account).write(to: folder)
    try Console.data(
      "\(folder.name): \(tasks.count) task\(tasks.count == 1 ? "" : "s") as job \(array) of Slurm; "
        + "`graphctl batch status \(folder.name)` says how far it is")
  }

  /// The number of the job; after it may come the cluster's name.
  private func send(_ submission: SlurmJob.Submission, _ folder: BatchFolder) throws -> String {
    let output = try EngineCommand.output(
      submission.words, input: submission.script, in: folder)
    return output.split { $0 == ";" || $0 == "\n" }.first.map(String.init) ?? output
  }
}
