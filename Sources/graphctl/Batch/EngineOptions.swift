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
  }

  @Option(help: "Where the items are done.") var on = Engine.here
  @Option(
    name: .customLong("engine-option"),
    help: ArgumentHelp(
      "Hand an option on to `sbatch`, as in --engine-option=--partition=long.",
      discussion: "May be given several times.", valueName: "option"))
  var options: [String] = []

  func validate() throws {
    if on == .here, !options.isEmpty {
      throw ValidationError("--engine-option is for --on slurm")
    }
  }

  /// Hands the tasks that aren't done to the engine.
  func submit(_ folder: BatchFolder) throws {
    let done = folder.records.doneNames
    let tasks = try folder.tasks().filter { !done.isSuperset(of: $0.items) }
    guard !tasks.isEmpty else { return try Console.data("\(folder.name): nothing is left to do") }
    guard let program = Machine.ownPath else {
      throw CommandFailure(
        status: .unavailable,
        message: "graphctl batch: error: the program's own path isn't known; mount /proc")
    }
    let job = SlurmJob(
      folder: folder.path, name: folder.name, program: program, options: options)
    let array = try send(job.array(of: tasks), folder)
    let account = try send(job.account(after: array), folder)
    try SubmittedJobs(tasks: array, account: account).write(to: folder)
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
