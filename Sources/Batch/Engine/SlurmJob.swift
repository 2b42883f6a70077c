/// A batch's tasks as a job array of Slurm, and the job that takes account of them.
///
/// Slurm doesn't try again a task whose process ends, and may run one twice where it has lost sight of
/// a node: attempts and records are the worker's business. The account is taken after all tasks
/// however they ended: a job that waits for their success would wait for ever for one that failed.
package struct SlurmJob: Hashable, Sendable {
  /// The words of a command, and the script that it reads.
  package struct Submission: Hashable, Sendable {
    package var words: [String]
    package var script: String
  }

  /// The batch's folder and its name.
  package var folder: String
  package var name: String
  /// The program's path, the same on all nodes.
  package var program: String
  /// Options of `sbatch` that are handed on unread.
  package var options: [String]

  package init(folder: String, name: String, program: String, options: [String]) {
    (self.folder, self.name, self.program, self.options) = (folder, name, program, options)
  }

  /// Submits tasks as an array.
  package func array(of tasks: [BatchTask]) -> Submission {
    let longest = tasks.map(\.cost).max() ?? 0
    return submission(
      ["--array=\(Self.ranges(of: tasks.map(\.number)))", "--time=\(Self.minutes(for: longest))"],
      log: "slurm-%a.txt", verb: "work")
  }

  /// Submits tasks that do once more what is left of an array when all of it has begun.
  package func backups(of tasks: [BatchTask], after job: String) -> Submission {
    let count = BackupTask.count(for: tasks.count)
    let longest = tasks.map(\.cost).max() ?? 0
    return submission(
      [
        "--array=\(Self.ranges(of: Array(0..<count)))", "--dependency=after:\(job)",
        "--time=\(Self.minutes(for: longest))",
      ], log: "slurm-backup-%a.txt", verb: "work", options: " --backup-of \(count)")
  }

  /// Submits the job that takes account of arrays when all of them have ended.
  package func account(after jobs: [String]) -> Submission {
    submission(
      ["--dependency=afterany:\(jobs.joined(separator: ":"))"], log: "slurm-account.txt",
      verb: "finish")
  }

  private func submission(
    _ words: [String], log: String, verb: String, options more: String = ""
  ) -> Submission {
    Submission(
      words: ["sbatch", "--parsable", "--job-name=\(name)", "--output=\(folder)/log/\(log)"]
        + words + options,
      script: "#!/bin/sh\n"
        + "exec \(program.quotedForShells) batch \(verb) \(folder.quotedForShells)\(more)\n")
  }

  /// The minutes that a task of an estimated length may take: estimates are rough, and a task that is
  /// ended is done again.
  private static func minutes(for seconds: Double) -> Int {
    10 + Int(min((seconds * 4 / 60).rounded(.up), 1e6))
  }

  /// Numbers as Slurm takes them: `0-3,7`.
  static func ranges(of numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }.joined(separator: ",")
  }
}

extension String {
  /// The text as one word of a shell's line.
  package var quotedForShells: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "/._-+=:@%".utf8.contains(byte)
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
