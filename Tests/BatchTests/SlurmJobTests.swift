import Batch
import TestTools
import Testing

/// What is handed to `sbatch`.
@Suite(.inTurn) struct SlurmJobTests {
  private let job = SlurmJob(
    folder: "/data/it's night.batch", name: "night.batch", program: "/opt/graphctl",
    options: ["--partition=long"])

  private func tasks(_ numbers: [Int], cost: Double) -> [BatchTask] {
    numbers.compactMap { number in
      let line = #"{"task": \#(number), "cost": \#(cost), "items": ["a"]}"#
      return BatchTask(line: Array(line.utf8))
    }
  }

  @Test func tasksAreAnArrayWithATimeLimit() {
    let submission = job.array(of: tasks([7, 0, 1, 2, 9], cost: 600))
    #expect(
      submission.words == [
        "sbatch", "--parsable", "--job-name=night.batch",
        "--output=/data/it's night.batch/log/slurm-%a.txt", "--array=0-2,7,9", "--time=50",
        "--partition=long",
      ])
    #expect(
      submission.script
        == "#!/bin/sh\nexec /opt/graphctl batch work '/data/it'\\''s night.batch'\n")
  }

  @Test func backupTasksComeWhenAllHaveBegun() {
    let submission = job.backups(of: tasks(Array(0..<21), cost: 600), after: "12")
    #expect(
      submission.words == [
        "sbatch", "--parsable", "--job-name=night.batch",
        "--output=/data/it's night.batch/log/slurm-backup-%a.txt", "--array=0-2",
        "--dependency=after:12", "--time=50", "--partition=long",
      ])
    #expect(
      submission.script
        == "#!/bin/sh\nexec /opt/graphctl batch work '/data/it'\\''s night.batch' --backup-of 3\n")
  }

  @Test func theAccountIsTakenHoweverTheTasksEnd() {
    let submission = job.account(after: ["12", "13"])
    #expect(submission.words.contains("--dependency=afterany:12:13"))
    #expect(submission.script.contains(" batch finish "))
  }
}
