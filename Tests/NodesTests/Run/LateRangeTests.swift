import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Parts from late in a file, before which most of it isn't read.
  @Suite struct LateRangeTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let starts = [19.99, 28.8]

    /// Runs a part of a file of half a minute through nodes, into a file whose path they name.
    private func run(_ path: String, from: Double, _ nodes: String, _ wires: String) async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": \(from), "duration": 1 },
            \(nodes) }, "wires": ["\(wires)"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [])
      #expect(report.warnings ?? [] == [])
    }

    @Test(
      "audio is that of the whole file",
      arguments: [
        "a.m4a -c:a aac -aac_pns 0", "alac.m4a -c:a alac", "a.flac -sample_fmt s16",
        "a.mp3 -c:a libmp3lame -q:a 5", "a.ogg -c:a libvorbis",
        "frag.m4a -c:a aac -aac_pns 0 -movflags frag_keyframe+empty_moov -frag_duration 500000",
      ])
    func cutsSound(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let (path, output) = (scratch.path(words[0]), scratch.path("part.wav"))
      try ffmpeg(
        "-f lavfi -i aevalsrc=0.4*sin(880*t*t)+0.1*random(1):s=48000:d=30", words[1], to: path)
      let whole = try decodedSound(of: path)
      for start in Self.starts {
        try await run(
          path, from: start,
          """
          "d": { "type": "decoder", "media": "audio" },
          "out": { "type": "wavSink", "path": "\(output)", "overwrite": true }
          """, "in.audio -> d -> out")
        let (got, first) = (try decodedSound(of: output), Int((start * 48_000).rounded()))
        let wanted = whole[first..<min(first + 48_000, whole.count)]
        #expect(got.count == wanted.count, "from \(start) s")
        let difference = zip(got, wanted).map { abs(Int($0) - Int($1)) }
        #expect(difference.max() ?? .max <= 2, "from \(start) s")
      }
    }

    private static let frameSize = 64 * 48 * 3 / 2

    @Test(
      "frames are those of the whole file",
      arguments: [
        "v.mp4 -c:v libx264 -bf 3 -g 60", "v.mov -c:v libx264 -bf 2 -g 1000",
        "hevc.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=90",
        "v.mkv -c:v libx264 -bf 2 -g 250",
      ])
    func cutsVideo(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=30 -pix_fmt yuv420p", words[1], to: path)
      try await compareFrames(of: path)
    }

    private func compareFrames(of path: String) async throws {
      let whole = try tool(
        "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
      let output = scratch.path("part.yuv")
      for start in Self.starts {
        try? FileManager.default.removeItem(atPath: output)
        try await run(
          path, from: start,
          """
          "d": { "type": "decoder", "media": "video" },
          "c": { "type": "videoConvert", "pixelFormat": "i420" },
          "out": { "type": "gst", "element": "filesink", "properties": { "location": "\(output)" } }
          """, "in.video -> d -> c -> out")
        let frames = Int(start * 25 + 1e-6)..<min(750, Int(((start + 1) * 25 - 1e-6).rounded(.up)))
        let wanted =
          whole[frames.lowerBound * Self.frameSize..<frames.upperBound * Self.frameSize]
        let got = try Data(contentsOf: URL(fileURLWithPath: output))
        #expect(got.count / Self.frameSize == frames.count, "from \(start) s")
        #expect(got == Data(wanted), "from \(start) s")
      }
    }
  }
}
