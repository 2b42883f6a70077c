import ArgumentParser
import Batch
import GraphKitSystem

/// How a batch's items are done.
struct BatchRunOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many files are done side by side; by default as many as there are cores.",
      valueName: "number"))
  var jobs: Int?
  @Flag(help: "Compare what is done with the records byte for byte, rather than by size.")
  var verify = false
  @Flag(help: "Try again what failed for good, too: where a plug-in was missing, say.")
  var retryFailed = false
  @Option(
    help: ArgumentHelp(
      "End an attempt that takes longer than so many seconds.", valueName: "seconds"))
  var itemTimeout: Double?
  @Option(
    help: ArgumentHelp(
      "End a run in which nothing has moved for some seconds.", valueName: "seconds"))
  var stallTimeout = GraphRun.Options().stallTimeout
  @Flag(name: .shortAndLong, help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if let jobs, !(1...1_024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024")
    }
    for (name, value) in [("--stall-timeout", stallTimeout), ("--item-timeout", itemTimeout ?? 1)]
    where value <= 0 || !value.isFinite {
      throw ValidationError("\(name) takes a number of seconds above 0")
    }
  }

  /// The options as a supervisor takes them.
  var options: BatchSupervisor.Options {
    var options = BatchSupervisor.Options()
    options.jobs = jobs ?? Machine.coreCount
    (options.verifies, options.retriesFailed) = (verify, retryFailed)
    (options.itemTimeout, options.stallTimeout) = (itemTimeout, stallTimeout)
    return options
  }
}
