import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Where the tracks of a movie end when its run is asked to end.
  @Suite struct CommonEndTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Endless video that takes some time, or little, and endless audio that takes none. The encoder
    /// holds frames back where it may present them in another order.
    private func endless(
      _ name: String, sink: String, encoder: String = "", isFast: Bool = false
    ) throws -> Pipeline {
      try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 320, "height": 240, "frameRate": 25 },
            "effect": { \(isFast ? #""type": "invert""# : #""type": "blur", "radius": 8"#) },
            "picture": { "type": "h264Encoder"\(encoder) },
            "microphone": { "type": "testAudio" }, "sound": { "type": "aacEncoder" },
            "movie": { "type": "\(sink)", "path": "\(scratch.path(name))" } },
          "wires": ["camera -> effect -> picture -> movie.video",
                    "microphone -> sound -> movie.audio"] }
        """)
    }

    @Test(
      "audio and video end together, wherever that is",
      arguments: [
        ("a.mp4", "mp4Sink", "", 0.4), ("b.mp4", "mp4Sink", "", 1.1),
        ("c.mp4", "mp4Sink", #", "purpose": "archive""#, 0.7),
        ("a.mkv", "matroskaSink", "", 0.9),
      ], [false, true])
    func together(
      _ kind: (name: String, sink: String, encoder: String, seconds: Double), isFast: Bool
    ) async throws {
      let (name, sink, encoder, seconds) = kind
      let run = try endless(name, sink: sink, encoder: encoder, isFast: isFast)
      run.start()
      #expect(await run.reaches(seconds))
      run.finish()
      let report = await run.report()
      #expect(report.state == .completed && report.unbalanced == [], "\(report)")
      #expect(report.warnings == nil)
      let ends = try endsOfPackets(scratch.path(name))
      // A frame and a packet of AAC.
      #expect(abs(ends.video - ends.audio) < 1.0 / 25 + 1_024.0 / 44_100, "\(ends)")
      #expect(ends.video >= seconds)
      #expect(try hasNoGap(scratch.path(name)))
      #expect(try decodeComplaints(scratch.path(name)) == "")
    }

    @Test("a track that ends within a group of frames holds up no other")
    func endsFirst() async throws {
      let (whole, path) = (scratch.path("v.mp4"), scratch.path("in.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=4",
        "-c:v libx264 -preset veryfast -bf 3 -b_strategy 0 -pix_fmt yuv420p", to: whole)
      try ffmpeg(
        "-t 2.1 -i \(whole) -f lavfi -i sine=r=48000:d=20", "-c:v copy -c:a aac", to: path)
      let output = scratch.path("out.mkv")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "movie": { "type": "matroskaSink", "path": "\(output)" } },
          "wires": ["in.video -> movie.video", "in.audio -> movie.audio"] }
        """
      ).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      let (ends, wanted) = (try endsOfPackets(output), try endsOfPackets(path))
      #expect(abs(ends.video - wanted.video) < 0.05 && abs(ends.audio - wanted.audio) < 0.05)
    }

    /// Whether video has a frame each 40 ms.
    private func hasNoGap(_ path: String) throws -> Bool {
      let words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time"]
      let times = String(
        decoding: try tool("ffprobe", words + ["-of", "csv=p=0", path]), as: UTF8.self
      ).split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }.sorted()
      return times.count > 1 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 0.045 }
    }

    /// When the last packet of each track ends.
    private func endsOfPackets(_ path: String) throws -> (video: Double, audio: Double) {
      func end(_ kind: String) throws -> Double {
        let words = [
          "-v", "error", "-select_streams", kind, "-show_entries", "packet=pts_time,duration_time",
          "-of", "csv=p=0", path,
        ]
        let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(
          separator: "\n")
        return lines.map { line in
          line.split(separator: ",").compactMap { Double($0) }.reduce(0, +)
        }.max() ?? .nan
      }
      return (try end("v"), try end("a"))
    }
  }
}
