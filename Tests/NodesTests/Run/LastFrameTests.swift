import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// The last frame of video is shown for as long as its file says, whatever the frame rate is.
@Suite(.inTurn) struct LastFrameTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func run(_ input: String, _ nodes: String, _ wire: String) async throws -> Report {
    try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(nodes) },
        "wires": ["in.video -> \(wire)"] }
      """
    ).run()
  }

  private func duration(of path: String) throws -> Double {
    let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    return try #require(Double(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Ten frames at 10/s, of which the last stays for 1.25 s.
  private func long() throws -> String {
    let (base, path) = (scratch.path("base.mp4"), scratch.path("in.mp4"))
    try ffmpeg("-f lavfi -i testsrc=s=64x48:r=10:d=1 -pix_fmt yuv420p -c:v libx264 -bf 0", to: base)
    let length = #"setts=duration=if(eq(N\,9)\,12800\,1024)"#
    _ = try tool("ffmpeg", ["-v", "error", "-i", base, "-c", "copy", "-bsf:v", length, path])
    return path
  }

  @Test(arguments: [("mp4Sink", "a.mp4"), ("matroskaSink", "a.mkv")])
  func copiesKeepIt(sink: String, name: String) async throws {
    let output = scratch.path(name)
    _ = try await run(long(), #""out": { "type": "\#(sink)", "path": "\#(output)" }"#, "out.video")
    #expect(abs(try duration(of: output) - 2.15) < 0.005)
  }

  @Test(arguments: [0, 2])
  func encodedVideoKeepsIt(bFrames: Int) async throws {
    let output = scratch.path("a.mp4")
    let nodes = """
      "e": { "type": "h264Encoder", "bFrames": \(bFrames) },
      "out": { "type": "mp4Sink", "path": "\(output)" }
      """
    let report = try await run(long(), nodes, "e -> out.video")
    #expect(report.warnings == nil)
    #expect(abs(try duration(of: output) - 2.15) < 0.005)
  }

  /// Frames of an animation have no rate, and the last is decoded before others that are shown earlier.
  @Test(arguments: ["h264", "hevc"])
  func animationsAreEncoded(codec: String) async throws {
    let (input, output) = (scratch.path("in.gif"), scratch.path("a.mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc=s=160x120:r=10:d=0.5 -vf setpts=PTS*(1+N) -vsync passthrough", to: input)
    let nodes = """
      "e": { "type": "\(codec)Encoder" }, "out": { "type": "mp4Sink", "path": "\(output)" }
      """
    let report = try await run(input, nodes, "e -> out.video")
    #expect(report.warnings == nil, "\(report.warnings ?? [])")
    #expect(abs(try duration(of: output) - 2.8) < 0.005)
  }

  @Test("one that is cut off after a far longer one is as long as it says")
  func aShortOneAfterALongOne() async throws {
    let (input, output) = (scratch.path("in.mp4"), scratch.path("a.mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=10:d=4 -vf select=eq(n\\,0)+gte(n\\,20) -fps_mode vfr",
      "-c:v libx264 -bf 0", to: input)
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)", "to": 2.05 },
                   "e": { "type": "h264Encoder" },
                   "out": { "type": "mp4Sink", "path": "\(output)" } },
        "wires": ["in.video -> e -> out"] }
      """
    ).run()
    #expect(report.warnings == nil)
    #expect(abs(try duration(of: output) - 2.05) < 0.005)
  }
}
