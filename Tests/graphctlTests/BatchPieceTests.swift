import Foundation
import TestTools
import Testing

/// One long file in pieces.
@Suite(.inTurn) struct BatchPieceTests {
  private let batch: AudioBatch

  init() throws { batch = try AudioBatch([]) }

  private static let words = [
    "batch", "waveform.json", "long.wav", "--set", "output=cut.dat", "--pieces",
  ]

  /// Not quite a minute of audio: four runs of MP3 or AAC.
  private func make(_ name: String) async throws {
    try batch.folder.write("all.json", Self.graph)
    let codec = ["mp3": "-c:a libmp3lame -q:a 6", "m4a": "-c:a aac -b:a 64k"]
    let words =
      "-v error -y -f lavfi -i aevalsrc=(0.2+0.7*mod(t\\,7)/7)*sin(2*PI*(200+40*t)*t)"
      + "*gt(mod(t\\,9)\\,2):s=44100:d=50 -f lavfi -i anoisesrc=c=pink:a=0.1:seed=3:r=44100:d=50 "
      + "-filter_complex [0][1]amix " + (codec[String(name.suffix(3))] ?? "")
    try await Tool.run(
      "ffmpeg", words.split(separator: " ").map(String.init) + [name], in: batch.folder.url)
  }

  private static let graph = """
    {
      "parameters": { "input": null, "output": "x" },
      "nodes": {
        "source": { "type": "file", "path": "${input}" },
        "waveform": { "type": "waveform", "reduce": "rms", "samplesPerPixel": 500 },
        "points": { "type": "peaksSink", "path": "${output}.dat" },
        "loudness": { "type": "loudness" },
        "measurement": { "type": "measurementSink", "path": "${output}.loudness" },
        "silence": { "type": "silence", "minimum": 0.5, "threshold": -20 },
        "silences": { "type": "measurementSink", "path": "${output}.silence" }
      },
      "wires": [
        "source.audio -> waveform -> points", "source.audio -> loudness -> measurement",
        "source.audio -> silence -> silences"
      ]
    }
    """

  @Test(arguments: ["a.wav", "a.flac", "a.mp3", "a.m4a", "joined.mp3", "damaged.flac"])
  func allThatIsReducedEqualsTheSingleRun(name: String) async throws {
    if name.hasPrefix("a.") {
      try await make(name)
    } else {
      try await makeDamaged(name)
    }
    let single = try await batch.run(
      ["run", "all.json", "--set", "input=\(name)", "--set", "output=one", "-q"])
    try #require(single.status == 0, "\(single.messages)")
    // Parts are read slowly where each access is watched by a sanitizer.
    let result = try await batch.run(
      ["batch", "all.json", name, "--set", "output=cut", "--pieces", "3", "--stall-timeout", "120"])
    #expect(result.status == 0, "\(result.messages)")
    let isWarned = name == "damaged.flac"
    #expect(
      AudioBatch.account(result) == "all.batch: 1 done, 0 failed, 0 skipped, 0 left; "
        + "3 of 3 pieces" + (isWarned ? "; 1 with warnings" : ""))
    #expect(result.messages.contains("damaged.flac: warning: ") == isWarned)
    for kind in ["dat", "loudness", "silence"] {
      #expect(try batch.folder.data("cut.\(kind)") == batch.folder.data("one.\(kind)"), "\(kind)")
    }
    #expect(batch.hiddenFiles.isEmpty)
  }

  /// Two files of MP3 of different encoders' settings, one after the other, or a file of FLAC with
  /// nonsense in its middle.
  private func makeDamaged(_ name: String) async throws {
    if name.hasSuffix(".flac") {
      try await make("a.flac")
      var bytes = try batch.folder.data("a.flac")
      let start = bytes.count * 2 / 5
      for index in start..<start + 30_000 { bytes[index] = UInt8(index * 37 % 251) }
      try bytes.write(to: batch.folder.url.appending(path: name))
    } else {
      try await make("a.wav")
      try await Tool.run("lame", ["--quiet", "-b", "128", "a.wav", "1.mp3"], in: batch.folder.url)
      try await Tool.run("lame", ["--quiet", "-V", "2", "a.wav", "2.mp3"], in: batch.folder.url)
      let bytes = try batch.folder.data("1.mp3") + batch.folder.data("2.mp3")
      try bytes.write(to: batch.folder.url.appending(path: name))
    }
    try batch.folder.write("all.json", Self.graph)
  }

  @Test(arguments: ["a.m4a", "a.aac"])
  func audioInRunsEqualsTheSingleRun(name: String) async throws {
    try await make(name)
    let single = try await batch.expected(name)
    let result = try await batch.run(
      ["batch", "waveform.json", name, "--set", "output=cut.dat", "--pieces", "3"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(try batch.folder.data("cut.dat") == single)
  }

  @Test func piecesOfAFileThatHasChangedAreRefused() async throws {
    try batch.write("long.wav", frames: 400_000)
    #expect(try await batch.run(Self.words + ["3", "--on", "slurm"]).status != 0)
    try batch.write("long.wav", frames: 410_000)
    let result = try await work(0)
    #expect(result.status == 74)
    #expect(result.messages.contains("`long.wav` has changed since it was cut"))
    #expect(try await batch.run(["batch", "run", "waveform.batch"]).status == 0)
    #expect(try await batch.expected("long.wav") == batch.folder.data("cut.dat"))
  }

  /// A server's files have no time by which a change would show.
  @Test func aServersFileIsCutAsWell() async throws {
    try batch.write("long.wav", frames: 400_000)
    let server = try WebServer(batch.folder.path)
    let single = try await batch.expected("long.wav")
    let result = try await batch.run(
      ["batch", "waveform.json", server.address(of: "long.wav"), "--set", "output=cut.dat"]
        + ["--pieces", "3"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(
      AudioBatch.account(result) == "waveform.batch: 1 done, 0 failed, 0 skipped, 0 left; "
        + "3 of 3 pieces")
    #expect(try batch.folder.data("cut.dat") == single)
  }

  @Test func aFileThatIsGoneAfterItWasCutIsMissing() async throws {
    try batch.write("long.wav", frames: 400_000)
    #expect(try await batch.run(Self.words + ["3", "--on", "slurm"]).status != 0)
    try remove("long.wav")
    let result = try await work(0)
    #expect(result.messages.contains("`long.wav` isn't there any more"), "\(result.messages)")
  }

  @Test(arguments: ["0", "-1", "1001"])
  func aNumberOfPiecesThatMakesNoSenseIsRefused(count: String) async throws {
    let result = try await batch.run(Self.words + [count])
    #expect(result.status == 64)
    #expect(
      result.messages.hasPrefix(
        "Error: --pieces takes a number of pieces from 1 to 1000, and not \(count); leave it out"))
  }

  @Test func piecesThatAreDoneAreSkippedAndLostOnesMadeAgain() async throws {
    try batch.write("long.wav", frames: 400_000)
    let single = try await batch.expected("long.wav")
    let result = try await batch.run(Self.words + ["6"])
    #expect(result.status == 0, "\(result.messages)")
    let parts = batch.files(below: "waveform.batch/parts", suffix: ".part")
    #expect(parts.count == 6 && parts.allSatisfy { $0.hasSuffix("-of-0006.part") })
    let again = try await batch.run(["batch", "run", "waveform.batch"])
    #expect(
      AudioBatch.account(again) == "waveform.batch: 0 done, 0 failed, 1 skipped, 0 left; "
        + "6 of 6 pieces")
    for _ in 0..<2 {
      // A part is lost, one is as long as before and isn't what it was, and the output is gone.
      try remove("cut.dat")
      try remove("waveform.batch/parts/\(parts[2])")
      let size = try batch.folder.data("waveform.batch/parts/\(parts[4])").count
      try Data(repeating: 1, count: size).write(
        to: batch.folder.url.appending(path: "waveform.batch/parts/\(parts[4])"))
      let mended = try await batch.run(["batch", "run", "waveform.batch"])
      #expect(mended.status == 0, "\(mended.messages)")
      #expect(try batch.folder.data("cut.dat") == single)
    }
    #expect(batch.files(below: "waveform.batch/done", suffix: ".json").count == 7)
  }

  @Test func tasksInAnyOrderGiveOneMerge() async throws {
    try batch.write("long.wav", frames: 400_000)
    let single = try await batch.expected("long.wav")
    let stopped = try await batch.run(Self.words + ["6", "--on", "slurm"])
    #expect(stopped.status != 0)
    let tasks = try await batch.run(["batch", "tasks", "waveform.batch"])
    #expect(tasks.output.split(separator: "\n").count == 6)
    for task in [4, 1, 5, 0, 3] {
      let result = try await work(task)
      #expect(result.status == 0, "\(result.messages)")
      #expect(!batch.folder.has("cut.dat"))
    }
    let left = try await batch.run(["batch", "status", "waveform.batch"])
    #expect(
      left.output == "waveform.batch: 0 done, 0 failed, 0 skipped, 1 left; 5 of 6 pieces\n")
    // The last one is done three times at once, so that three merge.
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 { group.addTask { try await work(2).status } }
      for try await status in group { #expect(status == 0) }
    }
    #expect(try batch.folder.data("cut.dat") == single)
    #expect(batch.files(below: "waveform.batch/done", suffix: ".json").count == 7)
    #expect(batch.hiddenFiles.isEmpty)
    let none = try await batch.run(["batch", "tasks", "waveform.batch"])
    #expect(none.output == "")
  }

  @Test func theAccountMergesWhatIsThere() async throws {
    try batch.write("long.wav", frames: 400_000)
    let single = try await batch.expected("long.wav")
    #expect(try await batch.run(Self.words + ["3"]).status == 0)
    try remove("cut.dat")
    for record in batch.files(below: "waveform.batch/done", suffix: ".json") {
      let path = "waveform.batch/done/\(record)"
      if batch.folder.text(path).contains("cut.dat") { try remove(path) }
    }
    let finished = try await batch.run(["batch", "finish", "waveform.batch"])
    #expect(finished.status == 0, "\(finished.messages)")
    #expect(try batch.folder.data("cut.dat") == single)
    #expect(
      batch.folder.text("waveform.batch/summary.json").contains(#""piecesDone": 3"#))
  }

  /// A worker that puts pieces together may be ended because another one was first.
  @Test(arguments: [["work", "waveform.batch", "--task", "0"], ["finish", "waveform.batch"]])
  func whatAMergeHasLeftIsSweptAway(words: [String]) async throws {
    try batch.write("long.wav", frames: 400_000)
    #expect(try await batch.run(Self.words + ["3"]).status == 0)
    let items = batch.folder.text("waveform.batch/items.jsonl").split(separator: "\n")
    let whole = try #require(items.first { $0.contains("\"pieces\": [") })
    let id = try #require(whole.firstMatch(of: /"id": "([0-9a-f]+)"/)).1
    // The name of another machine: its processes aren't seen here.
    let hidden = ".graphkit-\(id).elsewhere.1"
    try FileManager.default.createDirectory(
      at: batch.folder.url.appending(path: hidden), withIntermediateDirectories: true)
    try batch.folder.write("\(hidden)/cut.dat", "half of it")
    let result = try await batch.run(["batch"] + words)
    #expect(result.status == 0, "\(result)")
    #expect(batch.hiddenFiles.isEmpty, "\(batch.hiddenFiles)")
    #expect(try await batch.expected("long.wav") == batch.folder.data("cut.dat"))
  }

  @Test func anotherNumberOfPiecesTakesNoneOfTheFormerParts() async throws {
    try batch.write("long.wav", frames: 400_000)
    let single = try await batch.expected("long.wav")
    #expect(try await batch.run(Self.words + ["6"]).status == 0)
    try remove("cut.dat")
    #expect(try await batch.run(Self.words + ["4"]).status == 0)
    #expect(try batch.folder.data("cut.dat") == single)
    #expect(batch.files(below: "waveform.batch/done", suffix: ".json").count == 5)
  }

  @Test func aDryRunSaysWhereTheCutsAre() async throws {
    try batch.write("long.wav", frames: 65_536 * 5)
    let result = try await batch.run(Self.words + ["2", "--dry-run"])
    #expect(result.status == 0, "\(result.messages)")
    #expect(
      result.output == """
        waveform.json: OK: 1 item, 2 tasks
          long.wav: 2 pieces
            piece 1: from 0.000 s on
            piece 2: from 16.384 s on
          task 0: 1 items, about 0:01.0
          task 1: 1 items, about 0:01.0

        """)
    #expect(!batch.folder.has("waveform.batch"))
  }

  @Test(arguments: [
    (
      "limiter", #"{ "type": "limiter" }"#,
      "what it makes of a moment may depend on what came before"
    ),
    (
      "convert", #"{ "type": "audioConvert", "sampleRate": 4000 }"#,
      "what it makes of a moment may depend on what came before"
    ),
    ("encoder", #"{ "type": "flacEncoder" }"#, ""),
  ])
  func whatCannotBeCutIsNamed(name: String, node: String, reason: String) async throws {
    try batch.write("long.wav", frames: 8_000)
    let isEncoder = name == "encoder"
    try batch.folder.write(
      "graph.json",
      """
      { "parameters": { "input": null, "output": "x" },
        "nodes": { "source": { "type": "file", "path": "${input}" }, "\(name)": \(node),
                   \(isEncoder ? "" : #""waveform": { "type": "waveform" },"#)
                   "sink": { "type": "\(isEncoder ? "audioSink" : "peaksSink")",
                             "path": "${output}" } },
        "wires": ["source.audio -> \(name) -> \(isEncoder ? "" : "waveform -> ")sink"] }
      """)
    try await expectRefusal(
      of: name,
      isEncoder ? "only what is reduced to a summary can be made in pieces" : reason,
      output: isEncoder ? "x.flac" : "x.dat")
  }

  @Test func aReducerWhosePiecesDoNotFitIsNamed() async throws {
    try batch.write("long.wav", frames: 8_000)
    try batch.folder.write(
      "graph.json",
      """
      { "parameters": { "input": null, "output": "x" },
        "nodes": { "source": { "type": "file", "path": "${input}" },
                   "waveform": { "type": "waveform" }, "level": { "type": "level" },
                   "points": { "type": "peaksSink", "path": "${output}" },
                   "levels": { "type": "measurementSink", "path": "${output}.txt" } },
        "wires": ["source.audio -> waveform -> points", "source.audio -> level -> levels"] }
      """)
    try await expectRefusal(of: "level", "what it finds in pieces can't be put together")
  }

  private func expectRefusal(
    of name: String, _ reason: String, output: String = "x.dat"
  ) async throws {
    let result = try await batch.run(
      ["batch", "graph.json", "long.wav", "--set", "output=\(output)", "--pieces", "2"])
    #expect(result.status == 65)
    #expect(
      result.messages == "long.wav: error: `\(name)` can't be cut into pieces: \(reason); "
        + "leave out --pieces\n")
  }

  private func work(_ task: Int) async throws -> Graphctl.Result {
    try await batch.run(["batch", "work", "waveform.batch", "--task", "\(task)", "-q"])
  }

  private func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: batch.folder.url.appending(path: path))
  }
}
