import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Times of Matroska files, which are in milliseconds.
@Suite(.inTurn) struct SteadyFrameTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func copy(_ source: String, to name: String = "out.mp4") async throws -> String {
    let path = scratch.path(name)
    let sink = name.hasSuffix("mp4") ? "mp4Sink" : "matroskaSink"
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
                   "out": { "type": "\(sink)", "path": "\(path)" } },
        "wires": ["in.video -> out.video"] }
      """
    ).run()
    return path
  }

  /// When the frames of a file are presented, in seconds.
  private func times(_ path: String) throws -> [Double] {
    let words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time"]
    let lines = try tool("ffprobe", words + ["-of", "csv=p=0", path])
    return String(decoding: lines, as: UTF8.self)
      .split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }.sorted()
  }

  @Test(
    "a copy's frames are as far apart as their rate says",
    arguments: [
      ("30000/1001", "libx264 -bf 2", "mkv"), ("24000/1001", "libx264", "mkv"),
      ("60", "libvpx-vp9 -deadline realtime -cpu-used 8", "webm"),
    ])
  func steadyFrames(_ rate: String, _ encoder: String, _ kind: String) async throws {
    let source = scratch.path("in.\(kind)")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=\(rate) -frames:v 100 -c:v \(encoder)", to: source)
    let copied = try await copy(source)
    let words = ["-v", "error", "-select_streams", "v", "-of", "csv=p=0", "-show_entries"]
    let stated = try tool("ffprobe", words + ["stream=avg_frame_rate", copied])
    let number = rate.contains("/") ? rate : rate + "/1"
    #expect(String(decoding: stated, as: UTF8.self).hasPrefix(number))
    let parts = number.split(separator: "/").compactMap { Double($0) }
    let found = try times(copied)
    #expect(found.count == 100)
    for (index, time) in found.enumerated() {
      #expect(abs(time - Double(index) * parts[1] / parts[0]) < 0.000_02)
    }
  }

  /// The first frame's time is rounded like the others, and the stream begins there.
  @Test(
    "a copy whose video begins late has all of its frames, at their rate",
    arguments: ["30", "30000/1001", "60"], ["out.mp4", "out.mkv"])
  func lateBeginning(_ rate: String, _ name: String) async throws {
    let source = scratch.path("late.mkv")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=\(rate) -frames:v 30 -vf setpts=PTS+2/FR/TB -c:v libx264",
      to: source)
    let copied = try await copy(source, to: name)
    let words = ["-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", copied]
    let flags = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
    #expect(flags.count == 30 && flags.first?.first == "K", "\(flags)")
    let parts = rate.split(separator: "/").compactMap { Double($0) }
    let step = (parts.count > 1 ? parts[1] : 1) / parts[0]
    let found = try times(copied)
    let most = name.hasSuffix("mkv") ? 0.001 : 0.000_02
    for (index, time) in found.enumerated() {
      #expect(abs(time - found[0] - Double(index) * step) < most)
    }
  }

  @Test("what comes at another pace keeps its times") func otherPace() async throws {
    let source = scratch.path("in.mkv")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=30 -frames:v 60 "
        + "-vf settb=1/1000,setpts=N*40+mod(N\\,2)*9 -fps_mode passthrough -enc_time_base 1/1000 "
        + "-c:v libx264", to: source)
    let (old, new) = (try times(source), try times(try await copy(source)))
    #expect(old.count == 60 && new.count == 60)
    for (old, new) in zip(old, new) { #expect(abs(old - new) < 0.000_02) }
  }
}
