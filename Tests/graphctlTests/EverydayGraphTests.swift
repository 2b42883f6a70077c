import Foundation
import GraphKit
import TestTools
import Testing

/// The graphs for everyday jobs, run as they are, and what they write looked at by ffprobe.
@Suite(.inTurn) struct EverydayGraphTests {
  /// A graph, and what ffprobe says of each of its files: codec, width, height and frames of the first
  /// stream.
  struct Case: CustomTestStringConvertible, Sendable {
    var graph: String
    var set: [String] = []
    var files: [String: String]
    var testDescription: String { graph }
  }

  static let cases = [
    Case(
      graph: "thumbnails", set: ["every=0.5"],
      files: [
        "thumbnail-00001.jpg": "mjpeg,160,96,1", "thumbnail-00002.jpg": "mjpeg,160,96,1",
      ]),
    Case(
      graph: "contact-sheet", set: ["count=4", "columns=2"],
      files: ["contact-sheet.jpg": "mjpeg,344,216,1"]),
    Case(
      graph: "sprite", set: ["every=0.25", "columns=4"],
      files: ["sprite.jpg": "mjpeg,640,96,1", "sprite.vtt": "webvtt,N/A,N/A,4"]),
    Case(graph: "poster", files: ["poster.jpg": "mjpeg,160,96,1"]),
    Case(graph: "fast-reverse", files: ["fast-reverse.mp4": "h264,160,96,13"]),
    Case(graph: "faster", set: ["speed=2"], files: ["faster.mp4": "h264,160,96,13"]),
    Case(
      graph: "slow-motion", set: ["from=0.2", "duration=0.4", "speed=0.5"],
      files: ["slow-motion.mp4": "h264,160,96,20"]),
    Case(graph: "frame-rate", set: ["frameRate=10"], files: ["frame-rate.mp4": "h264,160,96,10"]),
    Case(graph: "deinterlace", files: ["deinterlaced.mp4": "h264,160,96,25"]),
    Case(graph: "grid", set: ["second=input.mp4"], files: ["grid.mp4": "h264,1280,360,25"]),
    Case(
      graph: "green-screen", set: ["background=input.mp4"],
      files: ["green-screen.mp4": "h264,160,96,25"]),
    Case(graph: "audio-visual", files: ["audio-visual.mp4": "h264,640,360,30"]),
  ]

  private func input(in folder: Folder) throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-f", "lavfi", "-i",
        "sine=d=1:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p", "-c:a", "aac",
      ], to: "input.mp4", in: folder)
  }

  private func probe(_ file: String, in folder: Folder) async throws -> String {
    let result = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-select_streams", file.hasSuffix(".vtt") ? "s:0" : "v:0", "-count_packets",
        "-show_entries", "stream=codec_name,width,height,nb_read_packets", "-of", "csv=p=0", file,
      ], in: folder.url)
    return result.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test(arguments: cases) func writesWhatItSays(_ job: Case) async throws {
    let folder = try Folder()
    try input(in: folder)
    let path = GraphFileTests.graphs.appending(path: "\(job.graph).json").path
    let words = ["run", path] + (job.set + ["input=input.mp4"]).flatMap { ["--set", $0] }
    let result = try await Graphctl.run(words, in: folder)
    try #require(result.status == 0, "\(result)")
    for (file, wanted) in job.files {
      #expect(try await probe(file, in: folder) == wanted, "\(file)")
      #expect(result.output.contains("\(file): "), "\(result)")
    }
    // What is there now isn't overwritten.
    let again = try await Graphctl.run(words, in: folder)
    #expect(again.status == 73 && again.messages.contains("is there already"), "\(again)")
  }

  @Test func measurementsAreLinesOfJSON() async throws {
    let folder = try Folder()
    try input(in: folder)
    for (graph, files) in [
      ("scene-cuts", ["scene-cuts.json"]), ("standstill", ["black.json", "frozen.json"]),
    ] {
      let path = GraphFileTests.graphs.appending(path: "\(graph).json").path
      let result = try await Graphctl.run(
        ["run", path, "--set", "input=input.mp4"], in: folder)
      try #require(result.status == 0, "\(result)")
      for file in files {
        let lines = folder.text(file).split(separator: "\n")
        #expect(lines.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8))
        #expect((object as? [String: [Any]])?.count == 1)
      }
    }
  }

  /// x265 takes the path of its statistics among options with colons between.
  @Test func twoPassesNeedNoFolderWithoutColons() async throws {
    let folder = try Folder()
    let odd = folder.url.appending(path: "a:b")
    try FileManager.default.createDirectory(at: odd, withIntermediateDirectories: true)
    try folder.write(
      "two.json",
      """
      { "nodes": {
          "in": { "type": "testVideo", "width": 96, "height": 96, "seconds": 1 },
          "video": { "type": "hevcEncoder", "bitRate": 100000, "twoPass": true },
          "movie": { "type": "mp4Sink", "path": "two.mp4" } },
        "wires": ["in -> video -> movie.video"] }
      """)
    let result = try await Graphctl.run(
      ["run", "two.json", "--quiet"], in: folder, environment: ["TMPDIR": odd.path])
    #expect(result.status == 0 && result.messages.isEmpty, "\(result)")
    #expect(await Decoded.complaints(of: "two.mp4", in: folder) == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: odd.path) == [])
  }
}
