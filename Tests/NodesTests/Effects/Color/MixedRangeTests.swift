import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Video of full and of limited range side by side, with the same matrix, as ffmpeg decodes it.
@Suite(.inTurn) struct MixedRangeTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Grey of 190, with a black and a white half of its lower rows, in a range.
  private func film(_ range: String, matrix: String = "bt709") throws -> String {
    let path = scratch.path("\(range).mp4")
    let space = matrix == "bt709" ? "bt709" : "smpte170m"
    try ffmpeg(
      "-f lavfi -i color=0xbebebe:s=64x64:r=25:d=0.4,drawbox=y=32:w=32:h=32:c=black:t=fill,"
        + "drawbox=x=32:y=32:w=32:h=32:c=white:t=fill,format=gbrp,"
        + "scale=out_color_matrix=\(matrix):out_range=\(range),format=yuv420p "
        + "-c:v libx264 -qp 0 -colorspace \(space) -color_primaries \(space) -color_trc \(space) "
        + "-color_range \(range)", to: path)
    return path
  }

  private func run(_ nodes: String, _ wires: String) async throws -> String {
    let path = scratch.path("out.mp4")
    let report = try await pipeline(
      """
      { "nodes": { \(nodes), "h264": { "type": "h264Encoder" },
          "out": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": [\(wires)] }
      """
    ).run()
    #expect(report.failure == nil, "\(report)")
    return path
  }

  /// The red, green and blue of a pixel of a frame, by the range that the movie says.
  private func pixel(_ path: String, frame: Int, x: Int, y: Int) throws -> [Int] {
    let filter =
      "select=eq(n\\,\(frame)),scale=flags=accurate_rnd:in_range=auto:out_range=full,"
      + "format=gbrp,format=rgb24,crop=1:1:\(x):\(y)"
    let words = ["-v", "error", "-i", path, "-vf", filter, "-frames:v", "1", "-f", "rawvideo", "-"]
    return try tool("ffmpeg", words).map { Int($0) }
  }

  private func expect(_ found: [Int], near value: Int) {
    #expect(found.count == 3 && found.allSatisfy { abs($0 - value) <= 3 }, "\(found), \(value)")
  }

  @Test(arguments: [("tv", "pc"), ("pc", "tv")], ["bt709", "bt601"])
  func joinedVideoKeepsItsGreys(_ ranges: (String, String), _ matrix: String) async throws {
    let sources = [try film(ranges.0, matrix: matrix), try film(ranges.1, matrix: matrix)]
    let path = try await run(
      """
      "a": { "type": "file", "path": "\(sources[0])" },
      "b": { "type": "file", "path": "\(sources[1])" }, "join": { "type": "concat" }
      """,
      #""a.video -> join.video", "b.video -> join.video.2", "join.video -> h264 -> out.video""#)
    for frame in [2, 15] {
      expect(try pixel(path, frame: frame, x: 32, y: 12), near: 190)
      expect(try pixel(path, frame: frame, x: 12, y: 48), near: 0)
      expect(try pixel(path, frame: frame, x: 52, y: 48), near: 255)
    }
  }

  @Test func picturesSideBySideKeepTheirGreys() async throws {
    let sources = [try film("pc"), try film("tv")]
    let path = try await run(
      """
      "a": { "type": "file", "path": "\(sources[0])" },
      "b": { "type": "file", "path": "\(sources[1])" },
      "grid": { "type": "grid", "columns": 2, "cellWidth": 64, "cellHeight": 64 }
      """, #""a.video -> grid.in", "b.video -> grid.in.2", "grid -> h264 -> out.video""#)
    for x in [32, 96] { expect(try pixel(path, frame: 4, x: x, y: 12), near: 190) }
    for x in [12, 76] { expect(try pixel(path, frame: 4, x: x, y: 48), near: 0) }
  }

  @Test(arguments: ["pc", "tv"]) func barsHaveTheirColor(_ range: String) async throws {
    for (color, value) in [("000000", 0), ("606060", 96), ("ffffff", 255)] {
      let path = try await run(
        """
        "a": { "type": "file", "path": "\(try film(range))" },
        "scale": { "type": "scale", "width": 128, "height": 64, "barColor": "\(color)" }
        """, #""a.video -> scale -> h264 -> out.video""#)
      expect(try pixel(path, frame: 4, x: 8, y: 20), near: value)
      expect(try pixel(path, frame: 4, x: 64, y: 12), near: 190)
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
