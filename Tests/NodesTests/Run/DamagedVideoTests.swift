import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Video of which a part is missing in the middle, as of a broadcast or a disk with bad places.
  @Suite struct DamagedVideoTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func bytes(of path: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Decoders give several frames the same time there.
    @Test("what is left of a transport stream is encoded again", arguments: [30, 50, 70])
    func stream(place: Int) async throws {
      let (whole, path) = (scratch.path("whole.ts"), scratch.path("hole.ts"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i sine=d=4:r=48000",
        "-c:v libx264 -threads 1 -preset ultrafast -bf 2 -b_strategy 0 -g 25 -pix_fmt yuv420p",
        "-c:a aac", to: whole)
      var bytes = try bytes(of: whole)
      bytes.removeSubrange(place * 1_000..<(place + 40) * 1_000)
      try bytes.write(to: URL(fileURLWithPath: path))
      let movie = scratch.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
            "e": { "type": "h264Encoder" }, "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> d -> e -> out"] }
        """)
      _ = try await run.run()
      let track = try #require(probe(movie).first)
      // A fifth of the bytes are gone, and with them the frames that need those.
      #expect(track.frames >= 60 && track.end > 3.5, "\(track)")
      #expect(try decodedFrames(movie).count == track.frames)
    }

    /// Times that are rounded to milliseconds, and those that a decoder guesses.
    @Test(
      "frames of one time are encoded, each after the one before",
      arguments: [
        ("a.mkv", "r=1200", "libx264 -preset ultrafast", 1_200),
        ("a.mpg", "r=25", "mpeg2video -bf 2", 25), ("a.avi", "r=25", "mpeg4 -bf 2", 25),
      ])
    func equalTimes(name: String, rate: String, encoder: String, count: Int) async throws {
      let (path, movie) = (scratch.path(name), scratch.path("a.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:d=1:\(rate) -pix_fmt yuv420p -c:v \(encoder)", to: path)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
            "e": { "type": "h264Encoder" }, "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> d -> e -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      #expect(try probe(movie).map(\.frames) == [count])
    }

    @Test("where the reader of a Matroska file finds no more of it is a warning")
    func matroska() async throws {
      let path = scratch.path("a.mkv")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=4 -c:v libx264 -preset ultrafast -g 10",
        "-cluster_time_limit 1000", to: path)
      #expect(try await warnings(path) == [])
      var bytes = try bytes(of: path)
      // What follows the end that the file says is no part of it.
      try (bytes + Data(count: 5_000)).write(to: URL(fileURLWithPath: path))
      #expect(try await warnings(path) == [])
      let cluster = Data([0x1f, 0x43, 0xb6, 0x75])
      let first = try #require(bytes.firstRange(of: cluster))
      let second = try #require(bytes[first.upperBound...].firstRange(of: cluster))
      bytes[second.lowerBound] = 0
      try bytes.write(to: URL(fileURLWithPath: path))
      let words = "`\(path)` is damaged at byte \(second.lowerBound), where no part of"
      #expect(try await warnings(path).count { $0.hasPrefix(words) } == 1)
    }

    private func warnings(_ path: String) async throws -> [String] {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { "type": "nullSink" } },
          "wires": ["in.video -> out"] }
        """)
      return try await run.run().warnings?.map(\.message) ?? []
    }
  }
}
