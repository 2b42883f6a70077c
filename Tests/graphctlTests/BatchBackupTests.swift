import Foundation
import TestTools
import Testing

/// Items of which an attempt takes too long, and another is begun.
@Suite(.inTurnOrAlone) struct BatchBackupTests {
  private let batch: AudioBatch

  init() throws { batch = try AudioBatch(count: 4) }

  /// Fetches files, of which one comes the second time only: the first time nothing comes for long,
  /// and then an error.
  private func makeSlow(_ name: String) throws {
    try batch.folder.write(
      "slow.sh",
      """
      if [ "$1" = "\(name)" ] && mkdir first 2> /dev/null; then
        for _ in $(seq 300); do [ -e last ] && exit 1; sleep 0.1; done
        touch late; exit 1
      fi
      cp "$1" "$2"
      """)
  }

  private func end() throws { try batch.folder.write("last", "") }

  private let words =
    AudioBatch.words + ["--stage", "get=sh slow.sh {remote} {local}", "--jobs", "2"]

  private func checkOutputs() async throws {
    for name in ["00", "01", "02", "03"] {
      let single = try await batch.expected("media/\(name).wav")
      #expect(try batch.folder.data("peaks/\(name).dat") == single)
    }
    #expect(batch.hiddenFiles.isEmpty)
    #expect(!batch.folder.has("late"), "it was waited for")
  }

  @Test func whatTakesTooLongIsBegunOnceMore() async throws {
    try makeSlow("media/01.wav")
    let result = try await batch.run(words + ["--backup-tasks"])
    try end()
    #expect(result.status == 0, "\(result.messages)")
    #expect(AudioBatch.account(result) == "waveform.batch: 4 done, 0 failed, 0 skipped, 0 left")
    #expect(batch.files(below: "waveform.batch/failed", suffix: ".json").isEmpty)
    try await checkOutputs()
  }

  /// A task of an engine ends when others have done what it does.
  @Test func whatIsDoneElsewhereIsGivenUp() async throws {
    try makeSlow("media/01.wav")
    #expect(try await batch.run(words + ["--on", "slurm"]).status == 69)
    async let task = batch.run(["batch", "work", "waveform.batch", "--task", "0", "-q"])
    // It hangs from now on.
    while !batch.folder.has("first") { try await Task.sleep(for: .milliseconds(20)) }
    let backup = try await batch.run(
      ["batch", "work", "waveform.batch", "--task", "0", "--backup-of", "1"])
    #expect(backup.status == 0, "\(backup.messages)")
    let result = try await task
    try end()
    #expect(result.status == 0, "\(result.messages)")
    let finished = try await batch.run(["batch", "finish", "waveform.batch"])
    #expect(finished.output == "waveform.batch: 4 done, 0 failed, 0 skipped, 0 left\n")
    try await checkOutputs()
  }

  @Test func aBackupTaskThatThereIsNotIsRefused() async throws {
    #expect(try await batch.run(AudioBatch.words + ["--on", "slurm"]).status == 69)
    let result = try await batch.run(
      ["batch", "work", "waveform.batch", "--task", "1", "--backup-of", "1"])
    #expect(result.status == 64)
    #expect(result.messages.contains("there is no backup task 1 of 1; they count from 0"))
  }
}
