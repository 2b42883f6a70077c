import Foundation
import TestTools
import Testing

/// Tones of files that say what range they have, and not by which matrix.
@Suite(.inTurn) struct FullRangeTests {
  /// A ramp of all 256 grays, as ffmpeg decodes it from a file.
  private func grays(of name: String, in folder: Folder) async throws -> [Int] {
    let filter = "scale=out_range=full,format=gray,crop=256:1:0:8"
    let words =
      ["-v", "error", "-y", "-i", name, "-frames:v", "1", "-vf", filter]
      + ["-f", "rawvideo", "gray"]
    try await Tool.run("ffmpeg", words, in: folder.url)
    return try folder.data("gray").map(Int.init)
  }

  private func makeRamp(in folder: Folder) throws {
    let ramp = "color=gray:s=256x16:r=10:d=0.2,format=yuvj420p,geq=lum=X:cb=128:cr=128"
    let encoder = [
      "-c:v", "libx264", "-qp", "1", "-bsf:v", "h264_metadata=video_full_range_flag=1",
    ]
    try Tool.generate(["-f", "lavfi", "-i", ramp] + encoder, to: "in.mp4", in: folder)
  }

  @Test(arguments: [#""type": "exposure""#, #""type": "invert""#])
  func tonesStay(node: String) async throws {
    let folder = try Folder()
    try makeRamp(in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "file": { "type": "file", "path": "in.mp4" }, "decoder": { "type": "decoder",
          "media": "video" }, "node": { \(node) }, "video": { "type": "h264Encoder", "quality": 2 },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["file.video -> decoder -> node -> video -> movie"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    try #require(result == .init(status: 0, output: "", messages: ""), "\(result)")
    let source = try await grays(of: "in.mp4", in: folder)
    let made = try await grays(of: "a.mp4", in: folder)
    try #require(source.count == 256 && made.count == 256)
    let wanted = node.contains("invert") ? source.map { 255 - $0 } : source
    let worst = zip(made, wanted).map { abs($0 - $1) }.max() ?? 255
    #expect(worst <= 3, "\(worst)")
  }
}
