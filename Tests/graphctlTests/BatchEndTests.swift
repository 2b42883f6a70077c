import Foundation
import TestTools
import Testing

/// Batches that are ended in their midst, and tasks that run twice.
@Suite(.inTurnOrAlone) struct BatchEndTests {
  /// Lets others run until something is so, or a process has ended.
  private func wait(for run: Graphctl.Running, until condition: () -> Bool) async {
    while run.process.isRunning, !condition() { await Task.yield() }
  }

  private func doneCount(_ batch: AudioBatch) -> Int {
    batch.files(below: "waveform.batch/done", suffix: ".json").count {
      !$0.contains("/.")
    }
  }

  /// Runs what is left, and compares all with single runs.
  private func complete(_ batch: AudioBatch, count: Int) async throws {
    let rest = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(rest.status == 0, "\(rest.messages)")
    #expect(batch.hiddenFiles.isEmpty)
    #expect(doneCount(batch) == count && batch.files(below: "peaks").count == count)
    for name in ["00", "\(count - 1)"] {
      let single = try await batch.expected("media/\(name).wav")
      #expect(try batch.folder.data("peaks/\(name).dat") == single)
    }
  }

  @Test func workersThatAreKilledCostAttemptsOnly() async throws {
    let batch = try AudioBatch(count: 40)
    let run = try Graphctl.Running(AudioBatch.words + ["--jobs", "2"], in: batch.folder)
    var killed = 0
    for moment in 0..<8 {
      await wait(for: run) { doneCount(batch) >= moment * 4 }
      for child in RunningProcesses.children(of: run.process.processIdentifier).prefix(1) {
        if kill(child, SIGKILL) == 0 { killed += 1 }
      }
    }
    let result = try await run.result()
    #expect(killed > 0 && [0, 74].contains(result.status), "\(result)")
    #expect(result.output.contains(" 0 left"))
    try await complete(batch, count: 40)
  }

  @Test func aSignalLeavesTheRest() async throws {
    let batch = try AudioBatch(count: 40)
    let run = try Graphctl.Running(AudioBatch.words + ["--jobs", "1"], in: batch.folder)
    await wait(for: run) { doneCount(batch) > 0 }
    run.send(SIGINT)
    let result = try await run.result()
    #expect(result.status == 75, "\(result)")
    let done = doneCount(batch)
    #expect((1..<40).contains(done) && batch.files(below: "peaks").count == done)
    #expect(batch.hiddenFiles.isEmpty)
    #expect(
      AudioBatch.account(result)
        == "waveform.batch: \(done) done, 0 failed, 0 skipped, \(40 - done) left")
    try await complete(batch, count: 40)
  }

  @Test func aBatchWhoseProcessIsKilledGoesOn() async throws {
    let batch = try AudioBatch(count: 40)
    let run = try Graphctl.Running(AudioBatch.words + ["--jobs", "2"], in: batch.folder)
    await wait(for: run) { doneCount(batch) > 2 }
    let workers = RunningProcesses.children(of: run.process.processIdentifier)
    run.send(SIGKILL)
    #expect(try await run.result().status == -SIGKILL)
    // Each finishes its file, finds that nobody gives it another, and ends.
    while workers.contains(where: RunningProcesses.isAlive) { await Task.yield() }
    try await complete(batch, count: 40)
  }

  @Test func aTaskThatRunsTwiceAtOnceHasOneRecordAnItem() async throws {
    let batch = try AudioBatch(count: 12)
    // The plan of a batch that was ended before it began.
    let plan = try Graphctl.Running(AudioBatch.words, in: batch.folder)
    await wait(for: plan) { batch.folder.has("waveform.batch/batch.json") }
    plan.send(SIGKILL)
    _ = try await plan.result()
    let work = ["batch", "work", "waveform.batch"]
    async let one = Graphctl.run(
      work, in: batch.folder, environment: ["SLURM_ARRAY_TASK_ID": "0"])
    async let other = Graphctl.run(work, in: batch.folder, environment: ["SGE_TASK_ID": "1"])
    let results = try await [one, other]
    #expect(results.map(\.status) == [0, 0], "\(results)")
    try await complete(batch, count: 12)
    let tasks = try await batch.run(["batch", "tasks", "waveform.batch"])
    #expect((tasks.status, tasks.output) == (0, ""))
  }

  @Test func aSecondProcessWaitsForItsTurn() async throws {
    let batch = try AudioBatch(count: 40)
    let run = try Graphctl.Running(AudioBatch.words + ["--jobs", "1"], in: batch.folder)
    await wait(for: run) { doneCount(batch) > 0 }
    run.send(SIGSTOP)
    let second = try await batch.run(["batch", "run", "waveform.batch"])
    run.send(SIGCONT)
    #expect(second.status == 75)
    #expect(second.messages.contains("another process runs this batch"))
    #expect(try await run.result().status == 0)
  }

  @Test func anItemThatTakesTooLongIsEnded() async throws {
    let batch = try AudioBatch(count: 3)
    try batch.folder.write(
      "slow.json",
      """
      { "parameters": { "input": null, "output": "a.wav", "delay": 0 },
        "nodes": {
          "source": { "type": "file", "path": "${input}" },
          "slow": { "type": "gst", "element": "identity",
            "properties": { "sleep-time": "${delay}" } },
          "sink": { "type": "wavSink", "path": "${output}" } },
        "wires": ["source.audio -> slow -> sink"] }
      """)
    try batch.folder.write(
      "night.jsonl",
      """
      { "input": "media/00.wav", "output": "out/0.wav" }
      { "input": "media/01.wav", "output": "out/1.wav", "delay": 60000000 }
      { "input": "media/02.wav", "output": "out/2.wav" }
      """)
    let ended = try await batch.run(
      ["batch", "slow.json", "--items", "night.jsonl", "--jobs", "1", "--item-timeout", "3"])
    #expect(ended.status == 74, "\(ended)")
    #expect(AudioBatch.account(ended) == "night.batch: 2 done, 1 failed, 0 skipped, 0 left")
    #expect(
      ended.messages.contains("media/01.wav: error: it took longer than --item-timeout allows"))
    #expect(batch.files(below: "out") == ["0.wav", "2.wav"])
    // It is an attempt that may pass.
    #expect(batch.files(below: "night.batch/failed", suffix: ".json").count == 3)
  }

  /// A disk that may not be written to any more is the matter of the items that it is for.
  @Test func whatHasNoPlaceAnyMoreHoldsNothingElseUp() async throws {
    let batch = try AudioBatch(["media/a/00.wav", "media/b/01.wav"])
    #expect(try await batch.run(AudioBatch.words).status == 0)
    let place = batch.folder.url.appending(path: "peaks/b")
    try FileManager.default.removeItem(at: place)
    try batch.folder.write("peaks/b", "a file where the folder was")
    try batch.write("media/a/00.wav", frames: 4_000)
    let blocked = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(blocked.status == 74, "\(blocked)")
    #expect(
      AudioBatch.account(blocked) == "waveform.batch: 1 done, 1 failed, 0 skipped, 0 left")
    #expect(blocked.messages.contains("`peaks/b/01.dat` can't be written"), "\(blocked)")
    let failure = batch.files(below: "waveform.batch/failed", suffix: ".json").first ?? ""
    #expect(batch.folder.text("waveform.batch/failed/\(failure)").contains("\"status\": 73"))
    #expect(
      try await batch.folder.data("peaks/a/00.dat") == batch.expected("media/a/00.wav"))
    // A new output in the wrong place is a mistake that is found before anything runs.
    let other = try await batch.run(
      ["batch", "waveform.json", "media/b/01.wav", "--set", "output=media/a/00.wav/{stem}.dat"])
    #expect(other.status == 73, "\(other)")
    try FileManager.default.removeItem(at: place)
    let rest = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(rest.status == 0, "\(rest)")
    #expect(try await batch.folder.data("peaks/b/01.dat") == batch.expected("media/b/01.wav"))
  }

  /// An engine that gives a task one of a machine's cores has others run on the rest.
  @Test(arguments: [["SLURM_CPUS_ON_NODE": "1"], [:]])
  func aTaskPlansForTheCoresThatItWasGiven(environment: [String: String]) async throws {
    let batch = try AudioBatch(count: 40)
    let plan = try Graphctl.Running(AudioBatch.words, in: batch.folder)
    await wait(for: plan) { batch.folder.has("waveform.batch/batch.json") }
    plan.send(SIGKILL)
    _ = try await plan.result()
    // As Slurm says it, and as the driver of Ray does.
    let words = ["batch", "work", "waveform.batch", "--task", "0"]
    let run = try Graphctl.Running(
      words + (environment.isEmpty ? ["--jobs", "1"] : []), in: batch.folder,
      environment: environment)
    var worker: [String] = []
    await wait(for: run) {
      worker =
        RunningProcesses.children(of: run.process.processIdentifier).lazy.map(self.words)
        .first { $0.contains("worker") } ?? []
      return !worker.isEmpty
    }
    #expect(try await run.result().status == 0)
    let place = try #require(worker.firstIndex(of: "--cores"), "\(worker)")
    #expect(worker[place + 1] == "1")
  }

  /// The words of the command that a process was started with.
  private func words(of process: Int32) -> [String] {
    let text = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
    return text.split(separator: "\0").map(String.init)
  }
}
