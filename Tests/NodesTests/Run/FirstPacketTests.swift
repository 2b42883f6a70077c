import Foundation
import GraphKit
import Testing

extension FileTests {
  /// What a copy of a movie begins with, in files that can't leave out the beginning of a track.
  @Suite struct FirstPacketTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func copy(_ source: String, _ port: String, to sink: String) async throws -> String {
      let path = scratch.path(sink == "tsSink" ? "a.ts" : "a.mkv")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "\(sink)", "path": "\(path)" } },
          "wires": ["in.\(port) -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      return path
    }

    /// Browsers record so, and cameras.
    @Test(
      "the key frame that a movie in fragments begins with is copied",
      arguments: [
        ("libx264 -preset ultrafast -bf 0", "tsSink"),
        ("libx264 -preset ultrafast -bf 2 -b_strategy 0", "matroskaSink"),
        ("libx265 -x265-params log-level=error", "matroskaSink"),
        ("libvpx-vp9 -deadline realtime", "matroskaSink"),
      ])
    func fragments(encoder: String, sink: String) async throws {
      let movie = scratch.path("a.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=30000/1001:d=1 -pix_fmt yuv420p -c:v \(encoder)",
        "-movflags frag_keyframe+empty_moov+delay_moov", to: movie)
      let copy = try await copy(movie, "video", to: sink)
      #expect(try packetCount(movie) == 30 && packetCount(copy) == 30)
      #expect(try decodeComplaints(copy) == "")
    }

    /// The one before it is there to be decoded alone.
    @Test(
      "the packet that a track is presented from is copied", arguments: ["tsSink", "matroskaSink"])
    func presentedFrom(sink: String) async throws {
      let movie = scratch.path("a.mp4")
      try ffmpeg("-f lavfi -i sine=r=48000:d=1 -c:a aac", to: movie)
      let copy = try await copy(movie, "audio", to: sink)
      #expect(try packetCount(movie) == 48 && packetCount(copy) == 47)
      // ADTS has seven bytes before each packet.
      let head = sink == "tsSink" ? 7 : 0
      #expect(try packetSizes(copy)[0] == packetSizes(movie)[1] + head)
    }

    private func packetSizes(_ path: String) throws -> [Int] {
      let words = ["-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", path]
      let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
      return lines.compactMap { Int($0.filter(\.isNumber)) }
    }
  }
}
