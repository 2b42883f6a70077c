import Foundation
import TestTools
import Testing

/// Copies of files that a process of its own reads are those that they are otherwise: packet by packet,
/// with what the files say of themselves.
@Suite(.inTurnOrAlone, .enabled(if: !Graphctl.isSanitized)) struct IsolatedCopyTests {
  private static let tone = "-f lavfi -i sine=440:d=1.5,aformat=channel_layouts=stereo"
  private static let film = "-f lavfi -i testsrc2=s=64x48:r=25:d=1.5 \(tone)"
  private static let movie = "\(film) -c:v libx264 -g 12 -bf 2 -c:a aac"
  private static let said = "-metadata title=Titel -metadata artist=Wer"
  private static let cover =
    "-f lavfi -i color=red:s=32x32:d=1 -map 0 -map 1 -frames:v 1 -c:v mjpeg"
    + " -disposition:v attached_pic"
  private static let pictures =
    "-f lavfi -i color=red:s=32x32:d=1 -f lavfi -i color=blue:s=32x32:d=1 -map 0 -map 1 -map 2"
    + " -frames:v 1 -c:v mjpeg -disposition:v attached_pic -metadata:s:v:0 comment=Conductor"
    + " -metadata:s:v:1 comment=Composer"
  private static let slides =
    "-f lavfi -i testsrc2=s=64x48:r=1/7:d=40 -f lavfi -i sine=d=40 -c:v libx264"
  private static let pause =
    "-f lavfi -i testsrc2=s=64x48:r=25:d=14 -f lavfi -i sine=d=14,aselect=lt(t\\,0.1)+gt(t\\,13)"
    + " -c:v libx264 -c:a aac"
  private static let titled = "-i a.mp4 -i c.srt -i c.txt -map 0 -map 1 -map_metadata 2 -c copy"

  /// A file, what is copied of it, and into what.
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var make: String
    var sink: (type: String, ending: String)
    var parameters = ""
    /// Parameters of the sink.
    var limit = ""
    var ports = ["video", "audio"]
    /// What is made of the file once it is there: a second command's words, and its file.
    var second: (words: String, file: String)?
    var testDescription: String { "\(second?.file ?? file) -> \(sink.ending) \(parameters)" }
  }

  private static let mp4 = (type: "mp4Sink", ending: "mp4")
  private static let mkv = (type: "matroskaSink", ending: "mkv")
  private static let ts = (type: "tsSink", ending: "ts")
  private static let texts = ["video", "audio", "text"]

  static let cases = [
    // Frames in another order, priming of AAC, and tags.
    Case(file: "a.mp4", make: "\(movie) \(said)", sink: mp4),
    Case(file: "a.mp4", make: "\(movie) \(said)", sink: mkv),
    Case(file: "a.mp4", make: movie, sink: ts),
    Case(file: "a.mp4", make: movie, sink: mp4, parameters: #", "from": 0.7, "to": 1.2"#),
    // As long as the sink says, with priming that isn't heard.
    Case(file: "a.mp4", make: movie, sink: mp4, limit: #", "seconds": 1.1"#),
    // Fewer than all of its streams.
    Case(file: "a.mp4", make: movie, sink: mp4, ports: ["audio"]),
    // An edit list, and a track that begins late.
    Case(
      file: "a.mp4", make: movie, sink: mp4, second: ("-ss 0.3 -i a.mp4 -c copy", "b.mp4")),
    Case(
      file: "a.mp4", make: movie, sink: mkv,
      second: ("-i a.mp4 -itsoffset 0.7 -i a.mp4 -map 0:v -map 1:a -c copy", "b.mp4")),
    // Subtitles and chapters, which are far apart.
    Case(
      file: "a.mp4", make: movie, sink: mp4, ports: texts,
      second: ("\(titled) -c:s srt", "b.mkv")),
    Case(
      file: "a.mp4", make: movie, sink: mkv, ports: texts,
      second: ("\(titled) -c:s mov_text", "b.mp4")),
    Case(file: "a.ts", make: movie, sink: mp4),
    Case(file: "a.ts", make: movie, sink: ts),
    Case(
      file: "a.webm", make: "\(film) -c:v libvpx-vp9 -cpu-used 8 -c:a libopus \(said)",
      sink: ("matroskaSink", "webm")),
    Case(
      file: "a.webm", make: "\(film) -c:v libvpx-vp9 -cpu-used 8 -c:a libopus", sink: mp4),
    Case(
      file: "a.mp3", make: "\(tone) \(cover) -c:a libmp3lame \(said)", sink: ("audioSink", "mp3"),
      ports: ["audio"]),
    Case(
      file: "a.flac", make: "\(tone) \(cover) -c:a flac \(said)", sink: ("audioSink", "flac"),
      ports: ["audio"]),
    Case(
      file: "a.flac", make: "\(tone) \(pictures) -c:a flac \(said)", sink: ("audioSink", "flac"),
      ports: ["audio"]),
    Case(
      file: "a.ogg", make: "\(tone) -c:a libvorbis \(said)", sink: ("audioSink", "ogg"),
      ports: ["audio"]),
    Case(
      file: "a.opus", make: "\(tone) -c:a libopus \(said)", sink: ("mp4Sink", "m4a"),
      ports: ["audio"]),
    Case(
      file: "a.m4a", make: "\(tone) \(cover) -c:a aac \(said)", sink: ("mp4Sink", "m4a"),
      ports: ["audio"]),
    // A picture every seven seconds: what joins the tracks waits for the next.
    Case(file: "a.mp4", make: slides, sink: mkv),
    // Audio with a long pause: it is soon far ahead of the video, with few packets.
    Case(file: "a.mkv", make: pause, sink: mkv),
  ]

  @Test(arguments: cases) func aCopyIsTheSame(_ row: Case) async throws {
    let folder = try Folder()
    try folder.write(
      "c.srt",
      "1\n00:00:00,200 --> 00:00:00,600\nA <i>b</i>\n\n2\n00:00:01,200 --> 00:00:01,400\nc\n")
    try folder.write(
      "c.txt",
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=700\ntitle=Eins\n"
        + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=700\nEND=1500\ntitle=Zwei \"x\"\n")
    try Tool.generate(row.make.split(separator: " ").map(String.init), to: row.file, in: folder)
    if let second = row.second {
      let words = second.words.split(separator: " ").map(String.init)
      try await Tool.run(
        "ffmpeg", ["-nostdin", "-v", "error"] + words + [second.file], in: folder.url)
    }
    try folder.write("g.json", graph(row))
    for isolate in ["true", "false"] {
      let result = try await Graphctl.run(
        ["run", "g.json", "--quiet", "--set", "isolate=\(isolate)"], in: folder)
      #expect(result.status == 0 && result.messages.isEmpty, "\(isolate): \(result)")
    }
    for stream in row.ports.indices {
      let isolated = try await packets("true.\(row.sink.ending)", stream, in: folder)
      let plain = try await packets("false.\(row.sink.ending)", stream, in: folder)
      #expect(isolated == plain && isolated.count > 1)
    }
    let isolated = try await facts("true.\(row.sink.ending)", in: folder)
    #expect(try await facts("false.\(row.sink.ending)", in: folder) == isolated)
    for kind in ["Conductor", "Composer"] where row.make.contains("comment=\(kind)") {
      #expect(isolated.contains("TAG:comment=\(kind)"), "\(isolated)")
    }
    if row.make.contains("title=") { #expect(isolated.contains { $0.hasSuffix("=Titel") }) }
  }

  private func graph(_ row: Case) -> String {
    let wires = row.ports.map { port in
      row.sink.type == "audioSink" ? #""in.\#(port) -> out""# : #""in.\#(port) -> out.\#(port)""#
    }
    return """
      { "parameters": { "isolate": true },
        "nodes": {
          "in": { "type": "file", "path": "\(row.second?.file ?? row.file)",
                  "isolate": "${isolate}"\(row.parameters) },
          "out": { "type": "\(row.sink.type)", "path": "${isolate}.\(row.sink.ending)"\(
            row.limit) } },
        "wires": [\(wires.joined(separator: ", "))] }
      """
  }

  private func packets(_ name: String, _ stream: Int, in folder: Folder) async throws -> [String] {
    let words = [
      "-v", "error", "-select_streams", "\(stream)", "-show_packets", "-show_data_hash", "md5",
      "-show_entries", "packet=pts,dts,duration,size,flags,data_hash", "-of", "csv", name,
    ]
    let result = try await Tool.result("ffprobe", words, in: folder.url)
    return result.output.split(separator: "\n").map(String.init)
  }

  /// What a file says of its streams and of itself, but for where its parts are.
  private func facts(_ name: String, in folder: Folder) async throws -> [String] {
    let words = ["-v", "error", "-show_format", "-show_streams", "-show_chapters", name]
    let result = try await Tool.result("ffprobe", words, in: folder.url)
    let isOfPlaces = { (line: Substring) in
      ["filename=", "size=", "bit_rate="].contains { line.hasPrefix($0) }
    }
    return result.output.split(separator: "\n").filter { !isOfPlaces($0) }.map(String.init).sorted()
  }

  /// What one port feeds may take it decoded, or as it is; each does what it does otherwise.
  @Test func aStreamIsCopiedAndDecoded() async throws {
    let folder = try Folder()
    try Tool.generate(Self.movie.split(separator: " ").map(String.init), to: "a.mp4", in: folder)
    try folder.write(
      "g.json",
      """
      { "parameters": { "isolate": true },
        "nodes": { "in": { "type": "file", "path": "a.mp4", "isolate": "${isolate}" },
          "movie": { "type": "mp4Sink", "path": "${isolate}.mp4" },
          "other": { "type": "matroskaSink", "path": "${isolate}.mkv" },
          "decoder": { "type": "decoder" },
          "wave": { "type": "wavSink", "path": "${isolate}.wav" },
          "poster": { "type": "poster", "path": "${isolate}.png", "at": 0.6 } },
        "wires": ["in.video -> movie.video", "in.audio -> movie.audio", "in.video -> poster",
          "in.audio -> decoder -> wave", "in.video -> other.video", "in.audio -> other.audio"] }
      """)
    for isolate in ["true", "false"] {
      let result = try await Graphctl.run(
        ["run", "g.json", "--quiet", "--set", "isolate=\(isolate)"], in: folder)
      #expect(result.status == 0, "\(isolate): \(result)")
    }
    for ending in ["mp4", "mkv"] {
      for stream in 0...1 {
        let isolated = try await packets("true.\(ending)", stream, in: folder)
        let plain = try await packets("false.\(ending)", stream, in: folder)
        #expect(isolated == plain && isolated.count > 30)
      }
    }
    #expect(try folder.data("true.png") == folder.data("false.png"))
    // 1.5 s of s16 in stereo: the poster's end is not that of the audio.
    #expect(try folder.data("true.wav").count >= 66_150 * 4)
  }

  /// What would look into a stranger's packets here is refused.
  @Test(arguments: [
    (
      #""mid": { "type": "gst", "element": "h264parse" }, "#, "in.video -> mid -> out.video",
      "`in.video` goes into `mid` as it is in the file, and `mid` would parse it in this process: "
        + "with `isolate` only sinks of files are given packets; put a decoder before `mid`"
    ),
    (
      #""mid": { "type": "rtmpSink", "uri": "rtmp://127.0.0.1:1/a/b" }, "#,
      #"in.video -> mid.video", "in.audio -> out.audio"#,
      "`in.video` goes into `mid` as it is in the file"
    ),
  ])
  func whatWouldLookIntoPacketsIsRefused(node: String, wires: String, problem: String) async throws
  {
    let folder = try Folder()
    try Tool.generate(Self.movie.split(separator: " ").map(String.init), to: "a.mp4", in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { \(node)"in": { "type": "file", "path": "a.mp4", "isolate": true },
          "out": { "type": "mp4Sink", "path": "b.mp4" } }, "wires": ["\(wires)"] }
      """)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65 && result.messages.contains(problem), "\(result)")
  }

  /// The graph that copies a file isn't written for it.
  /// A codec that the sink doesn't take ends the run as it does without `isolate`.
  @Test func whatTheSinkDoesNotTakeIsAnError() async throws {
    let folder = try Folder()
    let words = "\(Self.film) -c:v ffv1 -c:a flac".split(separator: " ").map(String.init)
    try Tool.generate(words, to: "a.mkv", in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "file", "path": "a.mkv", "isolate": true },
          "out": { "type": "mp4Sink", "path": "b.mp4" } },
        "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
      """)
    let result = try await Graphctl.run(["run", "g.json"], in: folder)
    #expect(result.status == 74)
    #expect(result.messages.contains("video/x-ffv") && result.messages.contains("doesn't take"))
  }

  @Test func aServerCopiesUploads() async throws {
    let folder = try Folder()
    try Tool.generate(Self.movie.split(separator: " ").map(String.init), to: "a.mp4", in: folder)
    let graph = Graphctl.repository.appending(path: "graphs/remux.json").path
    let result = try await Graphctl.run(
      ["run", graph, "--quiet", "--set", "input=a.mp4", "--set", "output=b.mp4"], in: folder,
      environment: ["GRAPHKIT_ISOLATE": "1"])
    #expect(result.status == 0, "\(result)")
    for stream in 0...1 {
      let copied = try await packets("b.mp4", stream, in: folder)
      #expect(try await packets("a.mp4", stream, in: folder).count == copied.count)
    }
  }
}
