import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// Packets of transport streams that GStreamer's readers give in lists, or with bytes of others.
  @Suite struct TransportPacketTests {
    private let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    private func run(_ node: String, _ wire: String, _ source: String) async throws -> Report {
      try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" }, "out": { \(node) } },
          "wires": ["\(wire)"] }
        """
      ).run()
    }

    /// ffmpeg puts five packets of Opus into one of the stream, and the last may be alone in its own.
    @Test(arguments: [1.0, 1.02, 2.0]) func packetsOfOpusAreAllThere(seconds: Double) async throws {
      let (source, path) = (scratch.path("a.ts"), scratch.path("a.wav"))
      try ffmpeg("-f lavfi -i sine=f=440:r=48000:d=\(seconds)", "-c:a libopus", to: source)
      let sink = #""type": "wavSink", "path": "\#(path)""#
      let report = try await run(sink, "in.audio -> out", source)
      #expect(report.warnings == nil)
      let count = try decodedSound(of: path).count
      #expect(abs(Double(count) / 48_000 - seconds) < 0.021)
    }

    /// Copied by ffmpeg from one stream into another, a zero of each start code is with the packet before.
    @Test(arguments: ["libx264 -bf 2", "libx265 -bf 2 -x265-params log-level=none"])
    func framesHaveTheirOwnTimes(codec: String) async throws {
      let (first, source, path) = (
        scratch.path("a.ts"), scratch.path("b.ts"), scratch.path("b.mp4")
      )
      try ffmpeg(
        "-f lavfi -i testsrc2=s=128x96:r=25:d=2 -pix_fmt yuv420p", "-c:v \(codec)", to: first)
      try ffmpeg("-i \(first)", "-c copy", to: source)
      _ = try await run(#""type": "mp4Sink", "path": "\#(path)""#, "in.video -> out.video", source)
      func times(_ path: String) throws -> [Double] {
        let arguments = [
          "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path,
        ]
        let times = String(decoding: try tool("ffprobe", arguments), as: UTF8.self)
          .split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
        return times.map { ($0 - times[0]) * 25 }.map { $0.rounded() }
      }
      #expect(try times(path) == times(source))
      #expect(try times(path).count == 50)
      #expect(try decodeComplaints(path) == "")
    }
  }
}
