import Foundation
import TestTools
import Testing

/// Batches that are handed to Ray, of which only the module is there, as a stand-in that runs one task
/// after the other.
@Suite(.inTurn) struct BatchRayTests {
  private let batch: AudioBatch
  private let environment: [String: String]

  init() throws {
    batch = try AudioBatch(count: 3)
    environment = ["PATH": "/usr/bin:/bin", "PYTHONPATH": "\(batch.folder.path)/ray-module"]
    try module()
  }

  /// Makes the module; a cluster that isn't there, or a task that is lost, say what their lines do.
  private func module(
    connecting: String = "pass", getting: String = "return task()",
    waiting: String = "return tasks[:1], tasks[1:]"
  ) throws {
    try FileManager.default.createDirectory(
      at: batch.folder.url.appending(path: "ray-module"), withIntermediateDirectories: true)
    try batch.folder.write(
      "ray-module/ray.py",
      """
      import json, types

      class RayError(Exception): pass
      exceptions = types.SimpleNamespace(RayError=RayError)

      def init(**options):
          open("init", "w").write(json.dumps(options))
          \(connecting)

      def remote(**options):
          open("remote", "w").write(json.dumps(options, sort_keys=True))
          return lambda function: types.SimpleNamespace(
              remote=lambda *words: lambda: function(*words))

      def cluster_resources(): return {"CPU": 2.0}

      def cancel(task): open("cancelled", "a").write("1")

      def wait(tasks, num_returns):
          \(waiting)

      def get(task):
          \(getting)

      """)
  }

  private func run(_ words: [String]) async throws -> Graphctl.Result {
    try await Graphctl.run(words, in: batch.folder, environment: environment)
  }

  @Test func theDriverRunsTheTasks() async throws {
    let result = try await run(
      AudioBatch.words + [
        "--on", "ray", "--task-minutes", "0.00001", "--engine-option=num_cpus=2",
        "--engine-option=scheduling_strategy=SPREAD",
      ])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.output.hasPrefix("waveform.batch: 3 done, 0 failed, 0 skipped, 0 left, in "))
    #expect(
      batch.folder.text("remote")
        == #"{"max_retries": 3, "num_cpus": 2, "scheduling_strategy": "SPREAD"}"#)
    #expect(batch.folder.text("init").contains(#""address": "auto""#))
    for name in ["00", "01", "02"] {
      let single = try await batch.expected("media/\(name).wav")
      #expect(try batch.folder.data("peaks/\(name).dat") == single)
    }
    #expect(batch.folder.text("waveform.batch/log/ray-2.txt").contains("1 done"))
    #expect(batch.folder.text("waveform.batch/summary.json").contains("\"done\": 3"))
    let again = try await run(["batch", "run", "waveform.batch", "--on", "ray"])
    #expect(again.output == "waveform.batch: nothing is left to do\n")
  }

  /// Of three tasks two fit in the cluster, which is when the backup task comes; it ends first.
  @Test func whatBackupTasksHaveDoneIsGivenUp() async throws {
    try module(waiting: "return tasks[-1:], tasks[:-1]")
    let result = try await run(
      AudioBatch.words + ["--on", "ray", "--task-minutes", "0.00001", "--backup-tasks"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(result.output.hasPrefix("waveform.batch: 3 done, 0 failed, 0 skipped, 0 left, in "))
    #expect(batch.folder.text("cancelled") == "11")
    #expect(batch.folder.text("waveform.batch/log/backup-0.txt").contains("2 done"))
    #expect(!batch.folder.has("waveform.batch/log/ray-0.txt"))
  }

  @Test func whatIsLostIsLeft() async throws {
    try module(getting: #"raise RayError("the node is gone")"#)
    let lost = try await run(AudioBatch.words + ["--on", "ray"])
    #expect(lost.status == 75 && lost.output.contains("0 done, 0 failed, 0 skipped, 3 left"))
    #expect(batch.folder.text("waveform.batch/log/engine.txt") == "0 lost\nthe node is gone\n")
    try module()
    let rest = try await run(["batch", "run", "waveform.batch", "--on", "ray"])
    #expect(rest.status == 0 && rest.output.contains("3 done"), "\(rest.messages)")
  }

  @Test func aClusterThatIsNotThereIsSaid() async throws {
    try module(connecting: #"raise ConnectionError("Could not find any running Ray instance")"#)
    let refused = try await run(AudioBatch.words + ["--on", "ray"])
    #expect(refused.status == 69)
    #expect(
      refused.messages.contains(
        "`python3` failed: ConnectionError: Could not find any running Ray instance"))
    let odd = try await run(AudioBatch.words + ["--on", "ray", "--engine-option=num_cpus"])
    #expect(odd.status == 64 && odd.messages.contains("options of Ray are given as NAME=VALUE"))
  }

  @Test func aPythonWithoutRayIsSaid() async throws {
    try batch.folder.write("ray-module/ray.py", "raise ImportError(\"No module named 'ray'\")\n")
    let refused = try await run(AudioBatch.words + ["--on", "ray"])
    #expect(refused.status == 69)
    #expect(
      refused.messages.contains(
        "No module named 'ray': install Ray for this Python, with `pip install ray`"))
  }
}
