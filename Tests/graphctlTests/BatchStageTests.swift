import Foundation
import GraphKitSystem
import TestTools
import Testing

/// Batches whose files are in a store that only a command knows: here a folder, and a script.
@Suite(.inTurnOrAlone) struct BatchStageTests {
  private let batch: AudioBatch
  private let scratch: String

  /// What the store does: it copies from or to its folder, after the lines of a test.
  init() throws {
    batch = try AudioBatch(["store/talks/a b.wav", "store/talks/c.wav", "store/d.wav"])
    scratch = "\(batch.folder.path)/scratch"
    try FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: true)
    try batch.folder.write(
      "keys", "s3://bucket/talks/a b.wav\ns3://bucket/talks/c.wav\ns3://bucket/d.wav\n")
    try store()
  }

  private func store(_ lines: String = "") throws {
    try batch.folder.write(
      "store.sh",
      """
      place() { case $1 in s3://bucket/*) echo "store/${1#s3://bucket/}" ;; *) echo "$1" ;; esac; }
      from=$(place "$1"); to=$(place "$2")
      \(lines)
      mkdir -p "$(dirname "$to")" && cp "$from" "$to"
      """)
  }

  private func run(_ words: [String]) async throws -> Graphctl.Result {
    try await Graphctl.run(words, in: batch.folder, environment: ["TMPDIR": scratch])
  }

  private let words = [
    "batch", "waveform.json", "--items", "keys", "--stage", "get=sh store.sh {remote} {local}",
    "--stage", "put=sh store.sh {local} {remote}", "--set",
    "output=s3://bucket/peaks/{path}.dat", "--jobs", "1",
  ]

  /// Every output is in the store, as a run of the file alone makes it, and nothing else is left.
  private func check() async throws {
    for name in ["talks/a b", "talks/c", "d"] {
      let single = try await batch.expected("store/\(name).wav")
      #expect(try batch.folder.data("store/peaks/\(name).dat") == single)
    }
    #expect(batch.files(below: "scratch").isEmpty)
    #expect(!batch.folder.has("s3:"))
  }

  @Test func filesComeFromAStoreAndOutputsGoThere() async throws {
    let result = try await run(words)
    #expect(result.status == 0, "\(result.messages)")
    #expect(AudioBatch.account(result) == "keys.batch: 3 done, 0 failed, 0 skipped, 0 left")
    try await check()
    let again = try await run(["batch", "run", "keys.batch"])
    #expect(again.status == 0 && again.output.contains("0 done, 0 failed, 3 skipped"))
  }

  @Test func whatIsDroppedIsBroughtAgain() async throws {
    // Each file fails the first time, in either direction, but for the one that is looked into first.
    try store(
      """
      mark="tried $(echo "$1 $2" | sed 's,[^ ]*/.graphkit[^ ]*,,g' | tr / _)"
      case $2 in *graphkit-plan*) mark=/ ;; esac
      [ -e "$mark" ] || { : > "$mark"; echo 'connection reset' >&2; exit 1; }
      """)
    let result = try await run(words)
    #expect(result.status == 0, "\(result)")
    #expect(AudioBatch.account(result) == "keys.batch: 3 done, 0 failed, 0 skipped, 0 left")
    try await check()
    #expect(batch.files(below: "keys.batch/failed", suffix: ".json").count >= 3)
  }

  @Test func whatCanNotBeBroughtIsSaidAndLeftForLater() async throws {
    try store("case $to in *peaks/d.dat) echo 'access denied' >&2; exit 1 ;; esac")
    let refused = try await run(words)
    #expect(refused.status == 74)
    #expect(
      AudioBatch.account(refused) == "keys.batch: 2 done, 1 failed, 0 skipped, 0 left")
    #expect(
      refused.messages.contains(
        "s3://bucket/d.wav: error: `sh` failed on `s3://bucket/peaks/d.dat`: access denied"))
    #expect(batch.files(below: "scratch").isEmpty)
    try store()
    let later = try await run(["batch", "run", "keys.batch"])
    #expect(later.status == 0 && later.output.contains("1 done, 0 failed, 2 skipped"))
    try await check()
  }

  @Test func aStoreThatHasNothingIsSaidBeforeAnythingRuns() async throws {
    try store("echo 'no such bucket' >&2; exit 1")
    let refused = try await run(words)
    #expect(refused.status == 66)
    #expect(
      refused.messages.contains(
        "keys:1: error: `sh` failed on `s3://bucket/talks/a b.wav`: no such bucket"))
    #expect(batch.files(below: "scratch").isEmpty)
  }

  @Test func cleaningLeavesWhatOtherBatchesWorkOn() async throws {
    #expect(try await run(words).status == 0)
    // Of a process that is there, and of one that isn't.
    let gone = "\(Machine.hostName).\(Int32.max)"
    for mark in [Machine.processMark, gone] {
      try FileManager.default.createDirectory(
        atPath: "\(scratch)/.graphkit-0123.\(mark)/in", withIntermediateDirectories: true)
    }
    #expect(try await run(["batch", "clean", "keys.batch"]).status == 0)
    #expect(
      batch.files(below: "scratch") == [
        ".graphkit-0123.\(Machine.processMark)", ".graphkit-0123.\(Machine.processMark)/in",
      ])
  }

  @Test func aSignalEndsABatchThatIsPlanned() async throws {
    // It ends with the folder at the latest.
    try store(": > asked; while [ -e asked ]; do sleep 0.05; done")
    let run = try Graphctl.Running(words, in: batch.folder, environment: ["TMPDIR": scratch])
    while run.process.isRunning, !batch.folder.has("asked") { await Task.yield() }
    run.send(SIGINT)
    #expect(try await run.result().status == -SIGINT)
    #expect(!batch.folder.has("keys.batch"))
  }
}
