import Foundation
import TestTools
import Testing

/// Batches that are handed to Slurm, of which only the commands are there, as scripts.
@Suite(.inTurn) struct BatchSlurmTests {
  private let batch: AudioBatch
  private let environment: [String: String]

  init() throws {
    batch = try AudioBatch(count: 3)
    environment = ["PATH": "\(batch.folder.path)/bin:/usr/bin:/bin"]
  }

  /// Makes a command of a script.
  private func command(_ name: String, _ lines: String) throws {
    let place = batch.folder.url.appending(path: "bin")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try batch.folder.write("bin/\(name)", "#!/bin/sh\n\(lines)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: place.appending(path: name).path)
  }

  /// Has what is submitted kept: jobs of the numbers 100 and on, of a cluster with a name.
  private func keepSubmissions() throws {
    try command(
      "sbatch",
      """
      count=$(ls submitted* 2> /dev/null | wc -l)
      echo "$@" > "words$count"
      cat > "submitted$count"
      echo "$((100 + count));cluster"
      """)
  }

  private func run(_ words: [String]) async throws -> Graphctl.Result {
    try await Graphctl.run(words, in: batch.folder, environment: environment)
  }

  @Test func tasksRunAsTheScriptsThatAreSubmitted() async throws {
    try keepSubmissions()
    try command("squeue", "echo 100 RUNNING; echo 100 PENDING; echo 100 PENDING; echo 7 RUNNING")
    let submitted = try await run(
      AudioBatch.words + ["--on", "slurm", "--engine-option=--partition=long"])
    #expect(submitted.status == 0, "\(submitted.messages)")
    #expect(submitted.output.hasPrefix("waveform.batch: 1 task as job 100 of Slurm"))
    #expect(
      batch.folder.text("words0").contains("--array=0-0 ")
        || batch.folder.text("words0").contains("--array=0 "))
    #expect(batch.folder.text("words0").hasSuffix(" --partition=long\n"))
    #expect(batch.folder.text("words1").contains("--dependency=afterany:100"))
    let status = try await run(["batch", "status", "waveform.batch"])
    #expect(
      status.output
        == "waveform.batch: 0 done, 0 failed, 0 skipped, 3 left; "
        + "tasks of Slurm: PENDING: 2, RUNNING: 1\n")
    // Slurm would run them on its nodes, one with the number of the task.
    let task = try await Tool.result(
      "sh", ["submitted0"], in: batch.folder.url, environment: ["SLURM_ARRAY_TASK_ID": "0"])
    #expect(task.status == 0 && task.output.contains("3 done"), "\(task)")
    let account = try await Tool.result("sh", ["submitted1"], in: batch.folder.url)
    #expect(account.output == "waveform.batch: 3 done, 0 failed, 0 skipped, 0 left\n")
    #expect(batch.folder.text("waveform.batch/summary.json").contains("\"done\": 3"))
    let again = try await run(["batch", "run", "waveform.batch", "--on", "slurm"])
    #expect(again.output == "waveform.batch: nothing is left to do\n")
  }

  @Test func backupTasksAreAnArrayOfTheirOwn() async throws {
    try keepSubmissions()
    try command("scancel", "echo \"$@\" > cancelled")
    let submitted = try await run(AudioBatch.words + ["--on", "slurm", "--backup-tasks"])
    #expect(submitted.status == 0, "\(submitted.messages)")
    #expect(batch.folder.text("words1").contains("--dependency=after:100 "))
    #expect(batch.folder.text("words2").contains("--dependency=afterany:100:101"))
    let backup = try await Tool.result(
      "sh", ["submitted1"], in: batch.folder.url, environment: ["SLURM_ARRAY_TASK_ID": "0"])
    #expect(backup.status == 0 && backup.output.contains("3 done"), "\(backup)")
    #expect(try await run(["batch", "cancel", "waveform.batch"]).status == 0)
    #expect(batch.folder.text("cancelled") == "100 101 102\n")
  }

  @Test func whatTheEngineSaysIsHandedOn() async throws {
    try command("sbatch", "echo 'sbatch: error: invalid partition specified: long' >&2; exit 1")
    let refused = try await run(AudioBatch.words + ["--on", "slurm"])
    #expect(refused.status == 69)
    #expect(
      refused.messages.contains("`sbatch` failed: sbatch: error: invalid partition specified: long")
    )
    let cancelled = try await run(["batch", "cancel", "waveform.batch"])
    #expect(cancelled.status == 66 && cancelled.messages.contains("it was handed to no engine"))
  }
}
