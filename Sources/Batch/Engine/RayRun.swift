import GraphKitSystem

/// Tasks of a batch on a cluster of Ray: a driver in Python hands them over, and stays until they have
/// ended.
///
/// Ray starts a task again whose worker or node is lost (`max_retries`), and gives up those of a driver
/// that is gone. Records are the worker's business, as everywhere, and what is left the next run does.
package struct RayRun: Sendable {
  private let driver: EngineCommand
  private let folder: BatchFolder
  private let items: [BatchItem]

  /// Hands tasks over, and so many backup tasks when all have begun. Options such as `num_cpus=2` are
  /// handed on unread, to `ray.remote`.
  package init(
    _ tasks: [BatchTask], backups: Int, program: String, options: [String],
    in folder: BatchFolder
  ) throws(BatchError) {
    (self.folder, items) = (folder, try folder.items())
    let script = String(decoding: PackageResources.ray_driver_py, as: UTF8.self)
    driver = try EngineCommand(
      ["python3", "-c", script, program, folder.path, "\(backups)"] + options,
      input: tasks.map { "\($0.number)" }.joined(separator: "\n"), in: folder)
  }

  /// Waits until all tasks have ended, or until it is interrupted, and says what became of the items.
  /// Throws where the driver fails.
  package func run(
    _ interruption: BatchInterruption, onProgress: (BatchProgress) -> Void
  ) throws(BatchError) -> BatchAccount {
    var pace = BatchPace()
    while !driver.hasEnded, !interruption.hasCome {
      _ = driver.lines(within: 1_000)
      onProgress(pace.progress(account))
    }
    if interruption.hasCome { driver.kill() } else { try driver.finish() }
    var account = account
    (account.seconds, account.isInterrupted) = (pace.seconds, interruption.hasCome)
    return account
  }

  private var account: BatchAccount { BatchAccount(items, folder.records) }
}
