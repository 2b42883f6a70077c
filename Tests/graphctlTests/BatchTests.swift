import Foundation
import TestTools
import Testing

/// Batches whose files and parameters change, or are wrong.
@Suite(.inTurnOrAlone) struct BatchTests {
  @Test func outputsEqualThoseOfSingleRuns() async throws {
    let batch = try AudioBatch(count: 30)
    let result = try await batch.run(AudioBatch.words)
    #expect(result.status == 0, "\(result.messages)")
    #expect(AudioBatch.account(result) == "waveform.batch: 30 done, 0 failed, 0 skipped, 0 left")
    #expect(batch.files(below: "peaks").count == 30)
    for number in 0..<30 {
      let name = "\(number / 10)\(number % 10)"
      let single = try await batch.expected("media/\(name).wav")
      #expect(try batch.folder.data("peaks/\(name).dat") == single, "\(name)")
    }
    #expect(batch.files(below: "waveform.batch/done", suffix: ".json").count == 30)
    #expect(batch.hiddenFiles.isEmpty)
  }

  @Test func aBrokenFileStopsNothing() async throws {
    let batch = try AudioBatch(count: 10)
    try batch.folder.write("media/03.wav", "RIFF, it says")
    let result = try await batch.run(AudioBatch.words)
    #expect(result.status == 74)
    #expect(AudioBatch.account(result) == "waveform.batch: 9 done, 1 failed, 0 skipped, 0 left")
    #expect(result.messages.contains("media/03.wav: error: source: `media/03.wav` is "))
    #expect(batch.files(below: "peaks").count == 9)
    // It would fail again, so it isn't tried again.
    let again = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(again.status == 74)
    #expect(AudioBatch.account(again) == "waveform.batch: 0 done, 1 failed, 9 skipped, 0 left")
    #expect(batch.files(below: "waveform.batch/failed", suffix: ".json").count == 1)
    let status = try await batch.run(["batch", "status", "waveform.batch"])
    #expect(status.output.contains("9 done, 1 failed") && status.output.contains("media/03.wav"))
    try batch.write("media/03.wav", frames: 500)
    let mended = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(mended.status == 0)
    #expect(AudioBatch.account(mended) == "waveform.batch: 1 done, 0 failed, 9 skipped, 0 left")
  }

  @Test func onlyWhatHasChangedIsDoneAgain() async throws {
    let batch = try AudioBatch(count: 6)
    #expect(try await batch.run(AudioBatch.words).status == 0)
    try batch.write("media/02.wav", frames: 2_000)
    let touched = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(AudioBatch.account(touched) == "waveform.batch: 1 done, 0 failed, 5 skipped, 0 left")
    #expect(
      try await batch.expected("media/02.wav") == batch.folder.data("peaks/02.dat"))
    let changed = try await batch.run(AudioBatch.words + ["--set", "samplesPerPixel=128"])
    #expect(AudioBatch.account(changed) == "waveform.batch: 6 done, 0 failed, 0 skipped, 0 left")
    #expect(batch.files(below: "waveform.batch/done", suffix: ".json").count == 6)
  }

  @Test func outputsThatAreNotAsTheyWereMadeAreMadeAgain() async throws {
    let batch = try AudioBatch(count: 3)
    #expect(try await batch.run(AudioBatch.words).status == 0)
    let whole = try batch.folder.data("peaks/01.dat")
    try batch.folder.write("peaks/01.dat", "short")
    try FileManager.default.removeItem(at: batch.folder.url.appending(path: "peaks/02.dat"))
    let first = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(AudioBatch.account(first) == "waveform.batch: 2 done, 0 failed, 1 skipped, 0 left")
    #expect(try batch.folder.data("peaks/01.dat") == whole)
    // As long as before, so that only the digest can tell.
    try Data(repeating: 0, count: whole.count).write(
      to: batch.folder.url.appending(path: "peaks/01.dat"))
    let quick = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(AudioBatch.account(quick) == "waveform.batch: 0 done, 0 failed, 3 skipped, 0 left")
    let verified = try await batch.run(["batch", "run", "waveform.batch", "--verify"])
    #expect(AudioBatch.account(verified) == "waveform.batch: 1 done, 0 failed, 2 skipped, 0 left")
    #expect(try batch.folder.data("peaks/01.dat") == whole)
  }

  @Test func outputsThatCollideAreNamedWithBothLines() async throws {
    let batch = try AudioBatch(["a.wav", "b.wav"])
    try batch.folder.write(
      "list.jsonl",
      """
      { "input": "a.wav", "output": "x.dat" }

      { "input": "b.wav", "output": "./x.dat" }
      """)
    let result = try await batch.run(["batch", "waveform.json", "--items", "list.jsonl"])
    #expect(result.status == 65)
    #expect(
      result.messages.contains("list.jsonl:3: error: it writes `x.dat`, as list.jsonl:1 does"))
    #expect(!batch.folder.has("x.dat") && !batch.folder.has("list.batch"))
  }

  /// Files are one however they are named: through a folder that is a link, too, before they are there.
  @Test func linksToOneFolderCollide() async throws {
    let batch = try AudioBatch(["a.wav", "b.wav"])
    for (link, folder) in [("peaks", "real"), ("again", ".")] {
      try FileManager.default.createDirectory(
        at: batch.folder.url.appending(path: folder), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: batch.folder.url.appending(path: link),
        withDestinationURL: batch.folder.url.appending(path: folder))
    }
    try batch.folder.write(
      "list.jsonl",
      """
      { "input": "a.wav", "output": "real/new/x.dat" }
      { "input": "a.wav", "output": "peaks/new/x.dat" }
      { "input": "b.wav", "output": "again/c.dat" }
      { "input": "c.dat", "output": "y.dat" }
      """)
    try batch.folder.data("a.wav").write(to: batch.folder.url.appending(path: "c.dat"))
    let words = ["batch", "waveform.json", "--items", "list.jsonl", "--overwrite"]
    let result = try await batch.run(words)
    #expect(result.status == 65)
    #expect(
      result.messages.contains(
        "list.jsonl:2: error: it writes `peaks/new/x.dat`, as list.jsonl:1 does"))
    #expect(
      result.messages.contains(
        "list.jsonl:3: error: it writes `again/c.dat`, which list.jsonl:4 reads"),
      "\(result.messages)")
  }

  @Test func filesOfOthersAreKept() async throws {
    let batch = try AudioBatch(count: 2)
    try FileManager.default.createDirectory(
      at: batch.folder.url.appending(path: "peaks"), withIntermediateDirectories: true)
    try batch.folder.write("peaks/00.dat", "mine")
    let refused = try await batch.run(AudioBatch.words)
    #expect(refused.status == 73 && batch.folder.text("peaks/00.dat") == "mine")
    #expect(
      refused.messages
        == "media/00.wav: error: its output `peaks/00.dat` is there already; give another output, "
        + "or --overwrite\n")
    let replaced = try await batch.run(AudioBatch.words + ["--overwrite"])
    #expect(replaced.status == 0)
    #expect(try await batch.expected("media/00.wav") == batch.folder.data("peaks/00.dat"))
  }

  @Test func warningsOfRunsAreCountedAndListed() async throws {
    let batch = try AudioBatch(count: 3)
    let whole = try batch.folder.data("media/01.wav")
    try whole.prefix(whole.count - 400).write(
      to: batch.folder.url.appending(path: "media/01.wav"))
    let line =
      "media/01.wav: warning: source: `media/01.wav` was cut off: its last 400 of "
      + "\(whole.count) bytes are missing\n"
    let result = try await batch.run(AudioBatch.words)
    #expect(result.status == 0 && result.messages == line)
    #expect(
      AudioBatch.account(result)
        == "waveform.batch: 3 done, 0 failed, 0 skipped, 0 left; 1 with warnings")
    #expect(batch.folder.text("waveform.batch/summary.json").contains(#""warned": 1"#))
    let status = try await batch.run(["batch", "status", "waveform.batch"])
    #expect(status.output.hasSuffix(" left; 1 with warnings\n" + line), "\(status.output)")
    let quiet = try await batch.run(["batch", "run", "waveform.batch", "-q"])
    #expect(quiet.status == 0 && quiet.messages == "" && quiet.output == "")
  }

  /// Ten warnings are listed, and where the others are is said.
  @Test func manyWarningsAreListedInPart() async throws {
    let batch = try AudioBatch(count: 11)
    for name in batch.files(below: "media") {
      let whole = try batch.folder.data("media/\(name)")
      try whole.dropLast(400).write(to: batch.folder.url.appending(path: "media/\(name)"))
    }
    let result = try await batch.run(AudioBatch.words)
    let lines = result.messages.split(separator: "\n")
    #expect(result.status == 0 && lines.count == 11, "\(result.messages)")
    #expect(lines[9].hasPrefix("media/09.wav: warning: "))
    #expect(lines[10] == "… and 1 more warning; `waveform.batch/summary.json` lists all of them")
    let summary = batch.folder.text("waveform.batch/summary.json")
    #expect(summary.contains(#""warned": 11"#) && summary.contains(#""warningsLeftOut": 0"#))
    #expect(summary.components(separatedBy: "was cut off").count == 12)
    let status = try await batch.run(["batch", "status", "waveform.batch"])
    #expect(status.output.hasSuffix(lines.joined(separator: "\n") + "\n"), "\(status.output)")
    // A task writes no summary.
    for name in batch.files(below: "waveform.batch/done", suffix: ".json") {
      try FileManager.default.removeItem(
        at: batch.folder.url.appending(path: "waveform.batch/done/\(name)"))
    }
    let task = try await batch.run(["batch", "work", "waveform.batch", "--task", "0"])
    #expect(
      task.messages.hasSuffix(
        "\n… and 1 more warning; each file's are in its record, `waveform.batch/done`\n"),
      "\(task.messages)")
  }

  @Test func whatIsRefusedHasTheExitCodeOfARun() async throws {
    let batch = try AudioBatch(["a.wav"])
    try batch.folder.write("broken.wav", "RIFF, it says")
    try batch.folder.write("x.dat", "mine")
    let cases = [("broken.wav", "y.dat"), ("a.wav", "x.dat"), ("missing.wav", "y.dat")]
    for ((input, output), code) in zip(cases, [66, 73, 66] as [Int32]) {
      let run = try await batch.run(
        ["run", "waveform.json", "--set", "input=\(input)", "--set", "output=\(output)"])
      let all = try await batch.run(["batch", "waveform.json", input, "--set", "output=\(output)"])
      #expect(run.status == code && all.status == code, "\(input): \(run.status) \(all.status)")
    }
  }

  @Test func oddNamesWork() async throws {
    let names = [
      "a b.wav", "-c.wav", "d'\"$(x).wav", "e{path}.wav", "f\ng.wav", "h[1].wav", "%d*.wav",
      "ü/é.wav", "i{id}.wav",
    ]
    let batch = try AudioBatch(names)
    let result = try await batch.run(
      ["batch", "waveform.json", "-0", "--set", "output=peaks/{path}.dat"],
      input: names.joined(separator: "\0"))
    #expect(result.status == 0, "\(result.messages)")
    let outputs = names.map { $0.dropLast(4) + ".dat" }
    for (name, output) in zip(names, outputs) {
      let single = try await batch.expected(name)
      #expect(try batch.folder.data("peaks/\(output)") == single)
    }
    // An exact name is that file, and no pattern.
    let exact = try await batch.run(
      ["batch", "waveform.json", "h[1].wav", "--set", "output={stem}-{id}.dat", "--batch", "x"])
    #expect(
      exact.status == 0 && batch.files(below: ".", suffix: ".dat").count == 2 * names.count + 1)
  }

  @Test func namesThatAreNotUTF8AreRefused() async throws {
    let batch = try AudioBatch(["media/a.wav"])
    let make = "cp media/a.wav \"media/$(printf 'b\\377').wav\""
    try await Tool.run("sh", ["-c", make], in: batch.folder.url)
    let result = try await batch.run(AudioBatch.words)
    #expect(result.status == 66)
    #expect(result.messages.contains("error: the name isn't UTF-8; rename the file"))
    #expect(!batch.folder.has("peaks"))
  }

  @Test func aDryRunLooksIntoEveryFileAndWritesNothing() async throws {
    let batch = try AudioBatch(count: 4)
    let good = try await batch.run(AudioBatch.words + ["--dry-run"])
    #expect(good.status == 0 && good.output.hasPrefix("waveform.json: OK: 4 items, 1 task\n"))
    try batch.folder.write("media/01.wav", "no audio")
    try batch.folder.write("media/02.wav", "")
    let bad = try await batch.run(AudioBatch.words + ["--dry-run"])
    #expect(bad.status == 66 && bad.output.isEmpty)
    #expect(bad.messages.contains("media/01.wav: error: source: `media/01.wav` is no media file"))
    #expect(bad.messages.contains("media/02.wav: error: source: `media/02.wav` is empty"))
    #expect(!batch.folder.has("peaks") && !batch.folder.has("waveform.batch"))
  }

  @Test func aFolderOfFilesIsAnOutputAsAWhole() async throws {
    let batch = try AudioBatch(count: 2)
    try batch.folder.write(
      "stream.json",
      """
      {
        "parameters": { "input": null, "output": null },
        "nodes": {
          "source": { "type": "file", "path": "${input}" }, "sound": { "type": "decoder" },
          "rate":   { "type": "resample", "sampleRate": 48000 },
          "audio":  { "type": "aacEncoder" }, "stream": { "type": "hlsSink", "path": "${output}" }
        },
        "wires": ["source.audio -> sound -> rate -> audio -> stream.audio"]
      }
      """)
    let words = ["batch", "stream.json", "media/*.wav", "--set", "output=hls/{stem}"]
    let result = try await batch.run(words)
    #expect(result.status == 0, "\(result.messages)")
    let before = batch.files(below: "hls")
    #expect(before.contains("00/master.m3u8") || before.contains { $0.hasSuffix(".m3u8") })
    try batch.write("media/00.wav", frames: 4_000)
    #expect(try await batch.run(["batch", "run", "stream.batch"]).status == 0)
    #expect(batch.hiddenFiles.isEmpty && batch.files(below: "hls") == before)
    let playlists = before.filter { $0.hasSuffix(".m3u8") }
    for name in playlists {
      #expect(!batch.folder.text("hls/\(name)").contains(".graphkit-"))
    }
    let decoded = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
        "hls/\(playlists[0])",
      ],
      in: batch.folder.url)
    #expect(decoded.output.contains("aac"), "\(decoded)")
  }

  @Test func cleaningLeavesTheOutputs() async throws {
    let batch = try AudioBatch(count: 2)
    #expect(try await batch.run(AudioBatch.words).status == 0)
    #expect(try await batch.run(["batch", "clean", "waveform.batch"]).status == 0)
    #expect(!batch.folder.has("waveform.batch") && batch.files(below: "peaks").count == 2)
    let other = try await batch.run(["batch", "clean", "media"])
    #expect(other.status == 66 && batch.files(below: "media").count == 2)
  }
}
