import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Movies whose edit list begins between two key frames, as a cut without encoding makes them.
  @Suite(.timeLimit(.minutes(15))) struct CutMovieTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Six seconds with a key frame every two, cut at a time.
    private func cut(at seconds: Double, bFrames: Int, rate: Int = 25, as name: String) throws
      -> String
    {
      let whole = scratch.path("whole.mp4")
      let group = "-g \(2 * rate) -keyint_min \(2 * rate)"
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=\(rate):d=6 -f lavfi -i sine=r=48000:d=6 -c:v libx264",
        "-preset ultrafast -bf \(bFrames) -b_strategy 0 \(group) -sc_threshold 0",
        "-pix_fmt yuv420p -c:a aac", to: whole)
      try ffmpeg("-ss \(seconds) -i \(whole) -c copy", to: scratch.path(name))
      return scratch.path(name)
    }

    private func run(_ path: String, _ nodes: String, _ wires: String, _ options: String = "")
      async throws -> String
    {
      let output = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, \(nodes)
            "movie": { "type": "mp4Sink", "path": "\(output)"\(options) } },
          "wires": [\(wires)] }
        """)
      #expect(try await run.run().unbalanced == [])
      return output
    }

    private static let both = #""in.video -> movie.video", "in.audio -> movie.audio""#

    @Test(
      "a copy shows the same pictures at the same times",
      arguments: [(1.3, 0, 25), (1.3, 2, 25), (1.96, 3, 25), (3.5, 3, 25), (2.5, 2, 30)])
    func copies(seconds: Double, bFrames: Int, rate: Int) async throws {
      for name in ["cut.mp4", "cut.mov"] {
        let path = try cut(at: seconds, bFrames: bFrames, rate: rate, as: name)
        let copy = try await run(path, "", Self.both)
        let (expected, shown) = (try samples(path), try samples(copy))
        for stream in ["0,", "1,"] {
          let wanted = expected.filter { $0.hasPrefix(stream) }
          #expect(wanted.count > 50)
          #expect(shown.filter { $0.hasPrefix(stream) } == wanted, "\(name) \(stream)")
        }
        #expect(try probe(copy).map(\.start) == probe(path).map(\.start))
        #expect(try decodeComplaints(copy) == "")
        try FileManager.default.removeItem(atPath: copy)
      }
    }

    @Test("a copy leaves out what isn't needed: all before the last key frame before the cut")
    func needless() async throws {
      // The second cut leaves the packets where they are, and moves the list alone.
      let path = try cut(at: 0.5, bFrames: 2, as: "cut.mp4")
      try moveStart(of: path, to: 2.7)
      let copy = try await run(path, "", #""in.video -> movie.video""#)
      #expect(try samples(copy, "v") == samples(path, "v"))
      #expect(try probe(copy).map(\.frames) == [100])
    }

    /// Has the pictures' edit list begin later.
    private func moveStart(of path: String, to seconds: Double) throws {
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let list = try #require(bytes.firstRange(of: Array("elst".utf8))?.upperBound)
      let time = Int(seconds * 12_800)
      for index in 0..<4 { bytes[list + 12 + index] = UInt8(time >> (8 * (3 - index)) & 0xff) }
      _ = try scratch.write(bytes, to: "cut.mp4")
    }

    @Test("decoding begins at the same picture", arguments: [1.32, 1.96])
    func decodes(seconds: Double) async throws {
      let path = try cut(at: seconds, bFrames: 3, as: "cut.mp4")
      let output = try await run(
        path,
        """
        "pictures": { "type": "decoder", "media": "video" },
        "video": { "type": "h264Encoder", "preset": "ultrafast" },
        """, #""in.video -> pictures -> video -> movie.video""#)
      let expected = Int(((6 - seconds) * 25).rounded(.down))
      #expect(try probe(output).map(\.frames) == [expected])
      #expect(try samples(path, "v").count == expected)
    }

    @Test("a copy of limited length counts from the first picture that is shown")
    func limited() async throws {
      let path = try cut(at: 1.3, bFrames: 2, as: "cut.mp4")
      let copy = try await run(path, "", Self.both, #", "seconds": 2"#)
      let (expected, shown) = (try samples(path, "v"), try samples(copy, "v"))
      // The last are cut in the order of decoding.
      #expect(shown.count == 50 && expected.prefix(48) == shown.prefix(48))
    }
  }
}

/// What a full decode of the streams of a kind, or of a movie's video and audio, gives: each sample's
/// stream, time, length and checksum.
private func samples(_ path: String, _ kind: String? = nil) throws -> [Substring] {
  let streams = (kind.map { [$0] } ?? ["v", "a"]).flatMap { ["-map", "0:\($0)"] }
  let output = try tool("ffmpeg", ["-v", "error", "-i", path] + streams + ["-f", "framemd5", "-"])
  return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    .filter { !$0.hasPrefix("#") }
}
