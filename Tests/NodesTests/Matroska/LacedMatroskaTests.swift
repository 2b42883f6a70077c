import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// Files of mkvmerge, which puts several packets of audio into one block, of which the first alone has a
  /// time.
  @Suite struct LacedMatroskaTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "each packet is copied, with a time of its own",
      arguments: [
        ("libvorbis", "matroskaSink"), ("libvorbis", "audioSink"), ("ac3", "matroskaSink"),
      ])
    func copies(encoder: String, sink: String) async throws {
      let (whole, laced) = (scratch.path("whole.mka"), scratch.path("laced.mka"))
      try ffmpeg("-f lavfi -i anoisesrc=r=48000:d=2:a=0.3:seed=1 -c:a \(encoder)", to: whole)
      try tool("mkvmerge", ["-q", "-o", laced, whole])
      let path = scratch.path(sink == "audioSink" ? "a.ogg" : "a.mka")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(laced)" },
            "out": { "type": "\(sink)", "path": "\(path)" } },
          "wires": ["in.audio -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      #expect(try packetCount(path) == packetCount(laced))
      #expect(try decodedSound(of: path) == decodedSound(of: laced))
      // Players take what is 50 ms from its place for a gap.
      let (times, expected) = (try packetTimes(path), try packetTimes(whole))
      #expect(zip(times, expected).allSatisfy { abs($0 - $1) < 0.005 })
    }

    private func packetTimes(_ path: String) throws -> [Double] {
      let words = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path]
      let lines = String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
      return lines.compactMap { Double($0.filter { $0 != "," }) }
    }
  }
}
