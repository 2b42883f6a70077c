import Foundation
import TestTools
import Testing

/// Pictures whose pixels are no squares are shown as they are meant, in what composes them too.
@Suite(.inTurn) struct PixelShapeTests {
  /// The columns and rows that are white, where there are any.
  private struct Area: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>

    init(_ columns: Range<Int>, _ rows: Range<Int>) { (self.columns, self.rows) = (columns, rows) }

    init(of still: Still) {
      let white = (0..<still.bytes.count / 3).filter { still.bytes[$0 * 3] > 128 }
      let (across, down) = (white.map { $0 % still.width }, white.map { $0 / still.width })
      columns = (across.min() ?? 0)..<(across.max() ?? -1) + 1
      rows = (down.min() ?? 0)..<(down.max() ?? -1) + 1
    }
  }

  private func makeClip(
    _ name: String, _ color: String, _ size: String, shape: String, in folder: Folder
  ) throws {
    try Tool.generate(
      ["-f", "lavfi", "-i", "color=\(color):s=\(size):r=10:d=0.5", "-vf", "setsar=\(shape)"]
        + ["-c:v", "libx264", "-qp", "4", "-pix_fmt", "yuv420p"], to: name, in: folder)
  }

  /// What is white of what a graph of two clips, black and white, writes into `a.mp4`.
  private func white(
    of nodes: String, _ wires: String, at seconds: Double = 0, ground: String, picture: String
  ) async throws -> Area {
    let folder = try Folder()
    try makeClip("black.mp4", "black", "64x48", shape: ground, in: folder)
    try makeClip("white.mp4", "white", "16x16", shape: picture, in: folder)
    let image = ["-f", "lavfi", "-i", "color=white:s=16x16", "-frames:v", "1"]
    try Tool.generate(image, to: "a.png", in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "black": { "type": "file", "path": "black.mp4" }, \(nodes),
          "video": { "type": "h264Encoder", "bitRate": 2000000 },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": [\(wires), "node -> video -> movie"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    try #require(result == .init(status: 0, output: "", messages: ""), "\(result)")
    let words =
      "ffprobe -v error -show_entries stream=sample_aspect_ratio -of csv=p=0 a.mp4 > shape"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    #expect(folder.text("shape") == "\(ground.replacing("/", with: ":"))\n")
    return Area(of: try await Still(of: "a.mp4", width: 64, at: seconds, in: folder))
  }

  @Test(arguments: [
    ("1/1", "2/1", "", Area(8..<40, 8..<24)), ("2/1", "1/1", "", Area(8..<16, 8..<24)),
    ("2/1", "2/1", "", Area(8..<24, 8..<24)),
    ("1/1", "2/1", #", "width": 24"#, Area(8..<32, 8..<20)),
    ("1/1", "2/1", #", "height": 24"#, Area(8..<56, 8..<32)),
    ("1/1", "2/1", #", "height": 24, "width": 24"#, Area(8..<32, 8..<32)),
  ]) private func inAMix(ground: String, inset: String, size: String, area: Area) async throws {
    let found = try await white(
      of: #""white": { "type": "file", "path": "white.mp4" }, "node": { "type": "mixVideo", "#
        + #""places": { "in.2": { "x": 8, "y": 8\#(size) } } }"#,
      #""black.video -> node.in", "white.video -> node.in.2""#, ground: ground, picture: inset)
    #expect(found == area)
  }

  @Test func behindACrossfade() async throws {
    let found = try await white(
      of: #""white": { "type": "file", "path": "white.mp4" }, "#
        + #""node": { "type": "crossfade", "duration": 0.1 }"#,
      #""black.video -> node.from", "white.video -> node.to""#, at: 0.2, ground: "1/1",
      picture: "2/1")
    #expect(found == Area(0..<64, 8..<40))
  }

  @Test(arguments: ["overlay", "sticker"]) func underAPicture(type: String) async throws {
    let found = try await white(
      of: #""node": { "type": "\#(type)", "path": "a.png", "x": 0, "y": 0 }"#,
      #""black.video -> node""#, ground: "2/1", picture: "1/1")
    #expect(found == Area(0..<8, 0..<16))
  }

  @Test func underAWatermark() async throws {
    let found = try await white(
      of: #""node": { "type": "watermark", "path": "a.png", "size": 0.25, "margin": 0, "#
        + #""corner": "topLeft", "opacity": 1 }"#, #""black.video -> node""#, ground: "2/1",
      picture: "1/1")
    #expect(found == Area(0..<16, 0..<32))
  }

  @Test(arguments: [("2/1", "64,24"), ("1/2", "32,48"), ("1/1", "64,48")])
  func inAPreview(shape: String, size: String) async throws {
    let folder = try Folder()
    try makeClip("a.mp4", "white", "64x48", shape: shape, in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "a": { "type": "file", "path": "a.mp4" },
                   "shown": { "type": "preview", "path": "a.png" } },
        "wires": ["a.video -> shown"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""), "\(result)")
    let words = "ffprobe -v error -show_entries stream=width,height -of csv=p=0 a.png > size"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    #expect(folder.text("size") == "\(size)\n")
  }
}
