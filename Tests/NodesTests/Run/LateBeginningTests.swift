import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Tracks that begin seconds after the others of their file, as where a microphone was switched on late.
  @Suite struct LateBeginningTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A file of 12 s, whose audio begins after 9 of them.
    private func generate(_ codec: String, _ ending: String) throws -> String {
      let path = scratch.path("late.\(ending)")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=12", "-itsoffset 9 -f lavfi -i sine=r=48000:d=3",
        "-map 0:v -map 1:a -c:v libx264 -preset ultrafast -bf 0 -c:a \(codec)", to: path)
      return path
    }

    private static let files = [
      ("aac", "ts"), ("libmp3lame", "ts"), ("aac", "mkv"), ("libmp3lame", "mkv"),
    ]

    /// So many samples the encoder of MP3 adds for its last frame; Matroska's reader keeps them.
    private static let padding = 47

    @Test("a track that begins late is copied whole", arguments: files)
    func isCopied(codec: String, ending: String) async throws {
      let (path, copy) = (try generate(codec, ending), scratch.path("copy.mp4"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "mp4Sink", "path": "\(copy)" } },
          "wires": ["in.video -> out", "in.audio -> out"] }
        """)
      #expect(try await run.run().warnings == nil)
      let (tracks, expected) = (try probe(copy), try decodedSound(of: path))
      #expect(tracks.map(\.codec_type) == ["video", "audio"])
      #expect(tracks[0].frames == 120 && abs(tracks[1].start - tracks[0].start - 9) < 0.05)
      #expect(abs(try decodedSound(of: copy).count - expected.count) <= Self.padding)
      #expect(try decodeComplaints(copy) == "")
    }

    @Test("a track that begins late is decoded whole", arguments: files)
    func isDecoded(codec: String, ending: String) async throws {
      let (path, wave) = (try generate(codec, ending), scratch.path("a.wav"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """)
      #expect(try await run.run().warnings == nil)
      let (sound, expected) = (try decodedSound(of: wave), try decodedSound(of: path))
      #expect(expected.count > 48_000 * 3 && abs(sound.count - expected.count) <= Self.padding)
      #expect(zip(sound, expected).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test("what is mixed with a track that begins late keeps its time", arguments: ["mp4", "mkv"])
    func isMixed(ending: String) async throws {
      let (late, tone) = (scratch.path("late.\(ending)"), scratch.path("tone.wav"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=4", "-itsoffset 3 -f lavfi -i sine=r=48000:d=1",
        "-map 0:v -map 1:a -c:v libx264 -preset ultrafast -c:a aac", to: late)
      try ffmpeg("-f lavfi -i sine=r=48000:d=5", to: tone)
      let sound = scratch.path("a.m4a")
      let run = try pipeline(
        """
        { "nodes": { "late": { "type": "file", "path": "\(late)" },
            "tone": { "type": "file", "path": "\(tone)" },
            "mix": { "type": "mixAudio", "channels": 1 }, "a": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(sound)" } },
          "wires": ["late.audio -> mix.in", "tone.audio -> mix.in.2", "mix -> a -> out"] }
        """)
      #expect(try await run.run().warnings == nil)
      let track = try probe(sound)[0]
      #expect(abs(track.start) < 0.01 && abs(track.end - 5) < 0.03, "\(track)")
    }

    @Test("video that ends long before audio goes into Matroska without a complaint")
    func endsEarly() async throws {
      let (path, copy) = (scratch.path("a.mkv"), scratch.path("b.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=1", "-f lavfi -i sine=r=48000:d=15",
        "-c:v libx264 -bf 3 -pix_fmt yuv420p -c:a aac", to: path)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "v": { "type": "h264Encoder" },
            "a": { "type": "aacEncoder" }, "out": { "type": "matroskaSink", "path": "\(copy)" } },
          "wires": ["in.video -> v -> out", "in.audio -> a -> out"] }
        """)
      let report = try await run.run()
      // What GStreamer reports is a warning.
      #expect(report.warnings == nil)
      #expect(report.wires["v.out -> out.video"]?.samplesOut == 25)
      #expect(try decodeComplaints(copy) == "")
    }

    @Test("a track that is announced and never comes is none")
    func neverComes() throws {
      let path = try generate("aac", "ts")
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for packet in stride(from: 0, to: bytes.count, by: 188)
      where bytes[packet + 1] & 0x1f == 1 && bytes[packet + 2] == 1 {
        // The number of packets that are to be ignored, in place of the second track's.
        (bytes[packet + 1], bytes[packet + 2]) = (bytes[packet + 1] | 0x1f, 0xff)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: (any Error).self) {
        try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { "type": "nullSink" } },
            "wires": ["in.audio -> out"] }
          """)
      }
      #expect("\(try #require(error))".contains("`in` has no `audio`; it has `video`"))
    }
  }
}
