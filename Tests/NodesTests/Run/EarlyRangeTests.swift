import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Parts of a file from before one of its streams begins.
  @Suite struct EarlyRangeTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "a part that ends before the video begins has no frame, and an image sequence of it fails",
      arguments: ["a.mp4", "a.mkv", "a.ts"])
    func beforeVideo(name: String) async throws {
      let path = scratch.path(name)
      try ffmpeg(
        "-itsoffset 2 -f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=5",
        "-c:v libx264 -preset ultrafast -bf 2 -fps_mode passthrough -c:a aac", to: path)
      #expect(try await pictures(of: path, from: 1.5, to: 2.39) == 10)
      let error = await #expect(throws: RunError.self) {
        try await pictures(of: path, from: 0.5, to: 1.5)
      }
      #expect("\(try #require(error))".contains("the image sequence holds nothing"))
    }

    /// The clock is in the video's packets.
    @Test("a transport stream goes on after its video")
    func afterVideo() async throws {
      let (path, part) = (scratch.path("a.ts"), scratch.path("part.wav"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=5:r=48000",
        "-c:v libx264 -preset ultrafast -c:a aac", to: path)
      for stream in try LiveEnvironment().discover(path) {
        #expect(abs((stream.duration ?? .zero).seconds - 5) < 0.3)
      }
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 3, "to": 4 },
            "d": { "type": "decoder" }, "out": { "type": "wavSink", "path": "\(part)" } },
          "wires": ["in.audio -> d -> out"] }
        """)
      _ = try await run.run()
      #expect(try decodedSound(of: part).count == 48_000)
    }

    @Test("a frame that is on screen lasts no longer than the file", arguments: ["a.mp4", "a.mkv"])
    func lastFrame(name: String) async throws {
      let (path, part) = (scratch.path(name), scratch.path("part.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v libx264 -preset ultrafast -bf 0", to: path)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 1.98, "to": 60 },
            "d": { "type": "decoder" }, "e": { "type": "h264Encoder" },
            "out": { "type": "mp4Sink", "path": "\(part)" } },
          "wires": ["in.video -> d -> e -> out"] }
        """)
      _ = try await run.run()
      let track = try #require(probe(part).first)
      #expect(track.frames == 1 && track.end <= 0.04, "\(track)")
    }

    /// How many pictures are made of a part.
    private func pictures(of path: String, from start: Double, to end: Double) async throws -> Int {
      let folder = scratch.path("\(start)")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "file", "path": "\(path)", "from": \(start), "to": \(end) },
            "d": { "type": "decoder" },
            "out": { "type": "imageSequenceSink", "path": "\(folder)/%04d.png" } },
          "wires": ["in.video -> d -> out"] }
        """)
      _ = try await run.run()
      return try FileManager.default.contentsOfDirectory(atPath: folder).count
    }
  }
}
