import Foundation
import TestTools
import Testing

/// One long movie whose video is encoded in pieces.
@Suite(.inTurn) struct BatchVideoTests {
  private let batch: AudioBatch

  init() throws {
    batch = try AudioBatch([])
    try batch.folder.write("movie.json", Self.graph())
  }

  /// A transcode of a movie; of video alone where it has no audio.
  private static func graph(
    hasAudio: Bool = true, encoder: String = "", between: String = ""
  ) -> String {
    let audio = #""audioDecoder": { "type": "decoder" }, "audio": { "type": "aacEncoder" },"#
    return """
      {
        "parameters": { "input": null, "output": "x.mp4" },
        "nodes": {
          "source": { "type": "file", "path": "${input}" },
          "decoder": { "type": "decoder" }, "look": { "type": "saturation", "amount": 0.99 },
          \(between) \(hasAudio ? audio : "")
          "video": { "type": "h264Encoder", "keyFrameInterval": 30, "quality": 20 \(encoder) },
          "movie": { "type": "mp4Sink", "path": "${output}" }
        },
        "wires": [
          "source.video -> decoder -> look -> \(between.isEmpty ? "" : "between -> ")video -> movie.video"
          \(hasAudio ? #", "source.audio -> audioDecoder -> audio -> movie.audio""# : "")
        ]
      }
      """
  }

  private static let source =
    "-y -f lavfi -i testsrc2=s=192x108:r=30000/1001:d=11 "
    + "-f lavfi -i aevalsrc=0.3*sin(2*PI*(300+t*40)*t):s=44100:d=11 -pix_fmt yuv420p "

  /// Movies with B-frames and open groups of 29.97 frames a second, with priming; of frames that come
  /// as they like; of video that begins late; and of other kinds of files.
  private static let movies = [
    "open.mp4": "-c:v libx264 -bf 3 -g 50 -x264-params open-gop=1:scenecut=0 -c:a aac",
    "uneven.mkv": "-vf select='gt(mod(n,7),1)' -fps_mode vfr -c:v libx264 -bf 2 -g 40 -c:a aac",
    "late.mp4": "-c:v libx264 -bf 2 -g 40 -af atrim=0:10 -vf setpts=PTS+1.3/TB -c:a aac",
    "hevc.mp4": "-c:v libx265 -x265-params log-level=none:open-gop=1:keyint=40 -c:a aac",
    "stream.ts": "-c:v libx264 -bf 2 -g 40 -c:a aac",
    "pause.mp4": "-vf select='lt(t,3)+gt(t,8)' -fps_mode vfr -c:v libx264 -bf 2 -c:a aac",
  ]

  private func make(_ name: String) throws {
    let words = (Self.source + (Self.movies[name] ?? "")).split(separator: " ").map(String.init)
    try Tool.generate(words, to: name, in: batch.folder)
  }

  private func single(_ name: String) async throws {
    let result = try await batch.run(
      ["run", "movie.json", "--set", "input=\(name)", "--set", "output=one.mp4", "-q"])
    try #require(result.status == 0, "\(result.messages)")
  }

  private func cut(_ name: String, _ pieces: Int, _ more: [String] = []) async throws
    -> Graphctl.Result
  {
    try await batch.run(
      ["batch", "movie.json", name, "--set", "output=cut.mp4", "--pieces", "\(pieces)"] + more)
  }

  /// A part for which there is no room is tried three times, as any output is. The thread sanitizer
  /// maps a file that is longer.
  @Test(.disabled(if: Graphctl.isSanitized)) func aPartThatFindsNoRoomIsTriedAgain() async throws {
    try make("open.mp4")
    let words =
      "trap '' XFSZ; ulimit -f 64; \"$0\" batch movie.json open.mp4 --set output=cut.mp4 "
      + "--pieces 2 --jobs 1 --quiet 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: batch.folder.url)
    #expect(batch.folder.text("status") == "74\n")
    let failures = batch.files(below: "movie.batch/failed", suffix: ".json")
    #expect(failures.count == 6, "\(batch.folder.text("said"))")
    let records = failures.map { batch.folder.text("movie.batch/failed/\($0)") }
    #expect(records.allSatisfy { $0.contains("\"status\": 71") }, "\(records)")
  }

  @Test(arguments: [
    ("open.mp4", 3), ("open.mp4", 16), ("uneven.mkv", 5), ("late.mp4", 16), ("hevc.mp4", 3),
    ("hevc.mp4", 16), ("stream.ts", 5), ("pause.mp4", 3), ("pause.mp4", 16),
  ])
  func aMovieHasTheFramesAndTheAudioOfTheSingleRun(name: String, pieces: Int) async throws {
    try await expectTheSingleRun(of: name, pieces)
  }

  @Test(arguments: [("open.mp4", 3), ("uneven.mkv", 5), ("hevc.mp4", 11)])
  func soHasAMovieOfHEVC(name: String, pieces: Int) async throws {
    let graph = Self.graph().replacingOccurrences(of: "h264Encoder", with: "hevcEncoder")
    try batch.folder.write("movie.json", graph)
    try await expectTheSingleRun(of: name, pieces)
    let codec = ["-select_streams", "v", "-show_entries", "stream=codec_tag_string"]
    #expect(try await ffprobe("cut.mp4", codec) == "hvc1\n")
  }

  private func expectTheSingleRun(of name: String, _ pieces: Int) async throws {
    try make(name)
    try await single(name)
    let result = try await cut(name, pieces)
    #expect(result.status == 0, "\(result.messages)")
    let (wanted, got) = (try await times("one.mp4"), try await times("cut.mp4"))
    #expect(wanted.count > 100)
    #expect(got == wanted)
    let audio = ["-map", "0:a", "-c", "copy", "-f", "framemd5"]
    #expect(
      try await ffmpeg(["-i", "cut.mp4"] + audio) == ffmpeg(["-i", "one.mp4"] + audio))
    let starts = ["-select_streams", "v", "-show_entries", "stream=start_time"]
    #expect(try await ffprobe("cut.mp4", starts) == ffprobe("one.mp4", starts))
    #expect(try await ffmpeg(["-i", "cut.mp4", "-fps_mode", "passthrough", "-f", "null"]) == "")
    // Another frame of the source is 25 dB off at most.
    let likeness = try await likeness(of: "cut.mp4", to: name)
    #expect(likeness.count == got.count)
    let least = likeness.min() ?? 0
    #expect(least > 33)
  }

  /// An edit list may begin inside of a frame, so that all that follow are off the grid of their rate.
  @Test(arguments: ["1.31", "2.02"])
  func soHasAMovieThatBeginsInsideOfAFrame(start: String) async throws {
    try make("open.mp4")
    let words = "-v error -ss \(start) -i open.mp4 -c copy inside.mp4".split(separator: " ")
    try await Tool.run("ffmpeg", words.map(String.init), in: batch.folder.url)
    try await single("inside.mp4")
    #expect(try await cut("inside.mp4", 5).status == 0)
    let (wanted, got) = (try await times("one.mp4"), try await times("cut.mp4"))
    #expect(wanted.count > 100 && got == wanted)
  }

  @Test(arguments: [2, 5, 11])
  func keyFramesAreThoseOfTheSingleRun(pieces: Int) async throws {
    try make("open.mp4")
    try await single("open.mp4")
    #expect(try await cut("open.mp4", pieces).status == 0)
    let keys = ["-skip_frame", "nokey"]
    let (wanted, got) = (try await times("one.mp4", keys), try await times("cut.mp4", keys))
    #expect(wanted.count == 11)
    #expect(got == wanted)
    let order = ["-select_streams", "v", "-show_entries", "packet=dts"]
    #expect(try await ffprobe("cut.mp4", order) == ffprobe("one.mp4", order))
  }

  @Test func aMovieIsTurnedAndNamedAsThatOfTheSingleRun() async throws {
    try make("open.mp4")
    let words = ["-i", "open.mp4", "-c", "copy", "-metadata", "title=A film"]
    _ = try await Tool.result(
      "ffmpeg", ["-v", "error"] + words + ["-metadata:s:v", "rotate=90", "turned.mp4"],
      in: batch.folder.url)
    try await single("turned.mp4")
    #expect(try await cut("turned.mp4", 3).status == 0)
    let entries = ["-show_entries", "stream_side_data=rotation:format_tags=title"]
    let (wanted, got) = (
      try await ffprobe("one.mp4", entries), try await ffprobe("cut.mp4", entries)
    )
    #expect(wanted.contains("90") && wanted.contains("A film"), "\(wanted)")
    #expect(got == wanted)
  }

  /// The second half of the movie is larger, which no one configuration can say.
  @Test func framesThatChangeTheirSizeFailWithTheNumberOfThePiece() async throws {
    for (name, size) in [("1.ts", "192x108"), ("2.ts", "256x144")] {
      let words = "-y -f lavfi -i testsrc2=s=\(size):r=25:d=4 -c:v libx264 -bf 0 -g 25"
      try Tool.generate(words.split(separator: " ").map(String.init), to: name, in: batch.folder)
    }
    _ = try await Tool.result(
      "ffmpeg", ["-v", "error", "-i", "concat:1.ts|2.ts", "-c", "copy", "two.mkv"],
      in: batch.folder.url)
    try batch.folder.write("movie.json", Self.graph(hasAudio: false))
    let result = try await cut("two.mkv", 6)
    #expect(result.status == 74)
    #expect(
      result.messages.contains("has another configuration than what comes before it"),
      "\(result.messages)")
    #expect(!batch.folder.has("cut.mp4"))
  }

  @Test func aPieceThatFailsNamesItself() async throws {
    try make("open.mp4")
    #expect(try await cut("open.mp4", 3, ["--on", "slurm"]).status != 0)
    let handle = try FileHandle(forUpdating: batch.folder.url.appending(path: "open.mp4"))
    try handle.truncate(atOffset: 2_000)
    try handle.close()
    let words = ["batch", "work", "movie.batch", "--task", "1", "-q"]
    let result = try await batch.run(words)
    #expect(result.status == 74)
    #expect(
      result.messages.contains(" of 3: `open.mp4` has changed since it was cut"),
      "\(result.messages)")
  }

  @Test func lostPartsAreMadeAgainAndOneOfThreeMergesCounts() async throws {
    try make("open.mp4")
    #expect(try await cut("open.mp4", 4).status == 0)
    let first = try await times("cut.mp4")
    let parts = batch.files(below: "movie.batch/parts", suffix: ".part")
    #expect(parts.count == 4)
    try remove("cut.mp4")
    try remove("movie.batch/parts/\(parts[1])")
    let size = try batch.folder.data("movie.batch/parts/\(parts[2])").count
    try Data(repeating: 1, count: size).write(
      to: batch.folder.url.appending(path: "movie.batch/parts/\(parts[2])"))
    for record in batch.files(below: "movie.batch/done", suffix: ".json")
    where batch.folder.text("movie.batch/done/\(record)").contains("cut.mp4") {
      try remove("movie.batch/done/\(record)")
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          for task in 0..<4 {
            let words = ["batch", "work", "movie.batch", "--task", "\(task)", "-q"]
            let result = try await batch.run(words)
            guard result.status == 0 else { return result.messages }
          }
          return ""
        }
      }
      for try await message in group { #expect(message == "") }
    }
    let second = try await times("cut.mp4")
    #expect(second == first)
    #expect(try await ffmpeg(["-i", "cut.mp4", "-fps_mode", "passthrough", "-f", "null"]) == "")
    #expect(batch.files(below: "movie.batch/done", suffix: ".json").count == 5)
    #expect(batch.hiddenFiles.isEmpty)
    let again = try await batch.run(["batch", "run", "movie.batch"])
    #expect(
      AudioBatch.account(again) == "movie.batch: 0 done, 0 failed, 1 skipped, 0 left; "
        + "4 of 4 pieces")
  }

  @Test func aDryRunSaysWhereThePiecesBegin() async throws {
    try make("open.mp4")
    let result = try await cut("open.mp4", 3, ["--dry-run"])
    #expect(result.output.contains("open.mp4: 3 pieces\n"))
    // Half a frame before frames 90 and 210.
    #expect(result.output.contains("piece 2: from 2.986 s on"))
    #expect(result.output.contains("piece 3: from 6.990 s on"))
  }

  @Test(arguments: [
    (
      "between", #""between": { "type": "frameRate", "frameRate": 25 },"#, "",
      "what it makes of a moment may depend on what came before"
    ),
    (
      "between", #""between": { "type": "deinterlace" },"#, "",
      "what it makes of a moment may depend on what came before"
    ),
  ])
  func whatCannotBeCutIsNamed(
    name: String, between: String, encoder: String, reason: String
  ) async throws {
    try batch.folder.write("movie.json", Self.graph(encoder: encoder, between: between))
    try await expectRefusal(of: name, reason)
  }

  @Test(arguments: [
    ("vp9Encoder", "movie.mp4", "video", "what it encodes apart doesn't fit together"),
    (
      "h264Encoder", "movie.cmfv", "movie",
      "encoded pieces are put together in one movie alone, without segments or parts"
    ),
  ])
  func anotherEncoderOrSinkIsNamed(
    encoder: String, output: String, name: String, reason: String
  ) async throws {
    let graph = Self.graph(hasAudio: false)
      .replacingOccurrences(of: "h264Encoder", with: encoder)
      .replacingOccurrences(of: #", "quality": 20"#, with: "")
      .replacingOccurrences(of: "${output}", with: output)
    try batch.folder.write("movie.json", graph)
    try await expectRefusal(of: name, reason)
  }

  @Test func aCopyOfVideoIsNotWorthPieces() async throws {
    try batch.folder.write(
      "movie.json",
      """
      { "parameters": { "input": null, "output": "x.mp4" },
        "nodes": { "source": { "type": "file", "path": "${input}" },
                   "movie": { "type": "mp4Sink", "path": "${output}" } },
        "wires": ["source.video -> movie.video"] }
      """)
    try await expectRefusal(
      of: "movie", "of video, only what is encoded can be made in pieces, and this isn't")
  }

  private func expectRefusal(of name: String, _ reason: String) async throws {
    try make("open.mp4")
    let result = try await cut("open.mp4", 3)
    #expect(result.status == 65)
    #expect(
      result.messages == "open.mp4: error: `\(name)` can't be cut into pieces: \(reason); "
        + "leave out --pieces\n")
  }

  // MARK: What movies hold

  /// When frames are presented, in units of their track.
  private func times(_ name: String, _ words: [String] = []) async throws -> [Int] {
    try await ffprobe(name, words + ["-select_streams", "v", "-show_entries", "frame=pts"])
      .split(separator: "\n").compactMap { Int($0.split(separator: ",")[0]) }
  }

  /// How much each frame is like that of another movie with the same number, in decibels.
  private func likeness(of name: String, to other: String) async throws -> [Double] {
    let clock = "settb=1/1000,setpts=N*10"
    let graph = "[0:v]\(clock)[a];[1:v]\(clock)[b];[a][b]psnr=stats_file=likeness"
    _ = try await ffmpeg(
      ["-i", name, "-i", other, "-lavfi", graph, "-fps_mode", "passthrough", "-f", "null"])
    return batch.folder.text("likeness").split(separator: "\n").compactMap { line in
      let field = line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }
      return field.flatMap { $0.hasSuffix("inf") ? 99 : Double($0.dropFirst(9)) }
    }
  }

  private func ffmpeg(_ words: [String]) async throws -> String {
    let words = ["-nostdin", "-v", "warning", "-y"] + words + ["-"]
    let result = try await Tool.result("ffmpeg", words, in: batch.folder.url)
    return result.status == 0 ? result.output : "failed: \(result.output)"
  }

  private func ffprobe(_ name: String, _ words: [String]) async throws -> String {
    try await Tool.result(
      "ffprobe", ["-v", "error"] + words + ["-of", "csv=p=0", name], in: batch.folder.url
    ).output
  }

  private func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: batch.folder.url.appending(path: path))
  }
}
