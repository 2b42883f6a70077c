import GraphKit
import GraphKitSystem

/// The jobs of an array engine that a batch was last handed to, as its folder has them.
package struct SubmittedJobs: Hashable, Sendable {
  package var tasks: String
  /// Empty where there are none.
  package var backups: String
  package var account: String

  private static let name = "slurm.json"

  package init(tasks: String, backups: String, account: String) {
    (self.tasks, self.backups, self.account) = (tasks, backups, account)
  }

  /// Those of a batch; `nil` where it was handed to no engine.
  package init?(of folder: BatchFolder) {
    guard let file = try? File(folder.place(Self.name)),
      let bytes = try? file.read(at: 0, count: file.size), let fields = JSONFields(line: bytes),
      let tasks = fields.text("tasks"), let account = fields.text("account")
    else { return nil }
    self.init(tasks: tasks, backups: fields.text("backups") ?? "", account: account)
  }

  package func write(to folder: BatchFolder) throws(BatchError) {
    let tree = JSONTree(members: [
      ("tasks", JSONTree(.string(tasks))), ("backups", JSONTree(.string(backups))),
      ("account", JSONTree(.string(account))),
    ])
    try folder.write(Array(tree.json.utf8), to: Self.name)
  }

  /// How many tasks are in each state, in Slurm's words: `RUNNING: 2, PENDING: 5`; empty where none is
  /// left.
  package func states(in folder: BatchFolder) throws(BatchError) -> String {
    // Without a list, for jobs that are over are an error there.
    let words = ["squeue", "--noheader", "--array", "--format=%F %T"]
    let lines = try EngineCommand.output(words, in: folder).split(separator: "\n")
    var counts: [Substring: Int] = [:]
    for line in lines {
      let fields = line.split(separator: " ")
      if fields.count == 2, fields[0] == tasks { counts[fields[1], default: 0] += 1 }
    }
    return counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
  }

  /// Ends all of them.
  package func cancel(in folder: BatchFolder) throws(BatchError) {
    let jobs = [tasks, backups, account].filter { !$0.isEmpty }
    _ = try EngineCommand.output(["scancel"] + jobs, in: folder)
  }
}
