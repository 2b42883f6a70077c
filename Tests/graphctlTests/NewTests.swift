import Foundation
import TestTools
import Testing

/// The graphs that `graphctl new` writes are right, and run as they are.
@Suite(.inTurn) struct NewTests {
  /// A graph to begin with, the words that its run takes, and what ffprobe finds in its output.
  struct Case: CustomTestStringConvertible {
    var name: String
    var set: [String] = ["input=input.mp4"]
    var output: String
    var found: String
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "record", set: ["seconds=1"], output: "record.mp4", found: "h264,1280\naac\n"),
    Case(name: "screen", set: ["seconds=1"], output: "screen.mp4", found: "h264,1280\n"),
    Case(name: "transcode", output: "transcoded.mp4", found: "h264,960\naac\n"),
    Case(name: "copy", output: "copy.mp4", found: "h264,160\naac\n"),
    Case(name: "excerpt", output: "excerpt.mp4", found: "h264,160\naac\n"),
    Case(name: "gif", output: "animation.gif", found: "gif,320\n"),
    Case(name: "podcast", output: "podcast.m4a", found: "aac\n"),
    Case(name: "flac", output: "audio.flac", found: "flac\n"),
    Case(name: "waveform", output: "waveform.json", found: ""),
    Case(name: "waveform-picture", output: "waveform.png", found: "png,1600\n"),
    Case(name: "thumbnails", output: "thumbnail-00001.jpg", found: "mjpeg,160\n"),
    Case(name: "contact-sheet", output: "contact-sheet.jpg", found: "mjpeg,"),
    Case(name: "poster", output: "poster.jpg", found: "mjpeg,160\n"),
    Case(name: "hls", output: "stream/master.m3u8", found: "aac\nh264,960\n"),
  ]

  @Test(arguments: cases) func runsAsItIs(_ start: Case) async throws {
    let folder = try Folder()
    try await Self.makeInput(in: folder)
    let new = try await Graphctl.run(["new", start.name, "-o", "g.json"], in: folder)
    #expect((new.status, new.output) == (0, ""), "\(new)")
    let set = start.set.flatMap { ["--set", $0] }
    let check = try await Graphctl.run(["check", "g.json"] + set, in: folder)
    #expect(check.status == 0 && !check.messages.contains("warning"), "\(check)")
    let run = try await Graphctl.run(["run", "g.json"] + set, in: folder)
    #expect(run.status == 0, "\(run)")
    guard !start.found.isEmpty else {
      #expect(folder.text(start.output).contains("\"samples_per_pixel\":256"), "\(run)")
      return
    }
    let found = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,width", "-of", "csv=p=0", start.output,
      ], in: folder.url)
    #expect(found.status == 0 && found.output.hasPrefix(start.found), "\(found)")
  }

  @Test func everyGraphIsListedAndTested() async throws {
    let list = try await Graphctl.run(["new"], in: try Folder())
    try expect(list.output, matches: "new.txt")
    let names = list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(names.map(String.init) == Self.cases.map(\.name))
  }

  @Test func keepsAFileThatIsThere() async throws {
    let folder = try Folder()
    try folder.write("g.json", "mine")
    let kept = try await Graphctl.run(["new", "copy", "-o", "g.json"], in: folder)
    let message = "graphctl: error: `g.json` is there already; give another path, or `--overwrite`"
    #expect(kept == .init(status: 73, output: "", messages: message + "\n"))
    #expect(folder.text("g.json") == "mine")
    let replaced = try await Graphctl.run(
      ["new", "copy", "-o", "g.json", "--overwrite"], in: folder)
    let next =
      "g.json: change it as you like, then: graphctl run g.json --set input=FILE"
    #expect(replaced == .init(status: 0, output: "", messages: next + "\n"))
    let shown = try await Graphctl.run(["new", "copy"], in: folder)
    #expect(shown == .init(status: 0, output: folder.text("g.json"), messages: ""))
  }

  @Test(arguments: [
    ("waveforms", "did you mean `waveform`?"), ("zebra", "`graphctl new` lists them"),
  ])
  func doesNotKnowEveryName(name: String, remedy: String) async throws {
    let result = try await Graphctl.run(["new", name], in: try Folder())
    let message = "graphctl: error: there is no graph `\(name)` to begin with; \(remedy)\n"
    #expect(result == .init(status: 64, output: "", messages: message))
  }

  static func makeInput(in folder: Folder) async throws {
    try folder.write("small.json", smallGraph)
    let made = try await Graphctl.run(
      ["run", "small.json", "--set", "output=input.mp4", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
  }
}
