import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// PCM in QuickTime movies: with nothing else it is read as a WAV file's is, past GStreamer.
  @Suite struct MoviePCMTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let sound = "-f lavfi -i anoisesrc=r=44100:d=3:a=0.3:seed=1 -ac 2"

    /// What ffmpeg decodes a file's sound to, in 16 bits.
    private func decoded(_ path: String, _ format: String) throws -> [UInt8] {
      let words = [
        "-v", "error", "-i", path, "-map", "0:a", "-f", String(format.dropFirst(4)), "-",
      ]
      return Array(try tool("ffmpeg", words))
    }

    /// Writes a file's sound into a WAV file, and decodes that.
    private func read(
      _ path: String, _ format: String, _ range: String = ""
    ) async throws -> [UInt8] {
      let wave = scratch.path("out.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)"\(range) },
            "out": { "type": "wavSink", "path": "\(wave)", "overwrite": true } },
          "wires": ["in.audio -> out"] }
        """)
      #expect(try await run.run().warnings ?? [] == [])
      return try decoded(wave, format)
    }

    @Test(
      "little-endian PCM is that of ffmpeg, byte for byte",
      arguments: [
        ("pcm_s16le", 44_100), ("pcm_s24le", 44_100), ("pcm_s24le", 96_000), ("pcm_s32le", 44_100),
        ("pcm_f32le", 44_100), ("pcm_f32le", 96_000), ("pcm_f64le", 44_100),
      ])
    func littleEndian(codec: String, rate: Int) async throws {
      let path = scratch.path("a.mov")
      try ffmpeg(Self.sound, "-ar \(rate) -c:a \(codec)", to: path)
      let stream = try #require(try LiveEnvironment().discover(path).first)
      let pcm = try #require(stream.pcm)
      let file = try Data(contentsOf: URL(fileURLWithPath: path))
      let expected = try decoded(path, codec)
      let end = pcm.offset + pcm.frameCount * pcm.format.bytesPerFrame
      // An array that differs takes minutes to print.
      let isSame = Array(file[pcm.offset..<end]) == expected
      #expect(isSame)
      #expect(pcm.format.sampleRate == rate && pcm.format.channels == 2)
      let isRead = try await read(path, codec) == expected
      #expect(isRead)
    }

    @Test("big-endian PCM is left to GStreamer, and is right")
    func bigEndian() async throws {
      let path = scratch.path("a.mov")
      try ffmpeg(Self.sound, "-c:a pcm_s16be", to: path)
      #expect(try LiveEnvironment().discover(path).map(\.pcm) == [nil])
      let isSame = try await read(path, "pcm_s16le") == decoded(path, "pcm_s16le")
      #expect(isSame)
    }

    @Test("a part of it, and fragments, are left to GStreamer, too")
    func part() throws {
      let path = scratch.path("a.mov")
      try ffmpeg(Self.sound, "-c:a pcm_s16le", to: path)
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let list = try #require(bytes.firstRange(of: Array("elst".utf8))).lowerBound
      // Version and flags, the number of entries, and the duration of the first.
      bytes.replaceSubrange(list + 12..<list + 16, with: [0, 0, 4, 0])
      let half = try scratch.write(bytes, to: "half.mov")
      #expect(try LiveEnvironment().discover(half).map(\.pcm) == [nil])
      let fragments = scratch.path("fragments.mov")
      try ffmpeg("-i \(path) -c copy -movflags +frag_keyframe+empty_moov", to: fragments)
      #expect(try LiveEnvironment().discover(fragments).map(\.pcm) == [nil])
    }

    @Test(
      "beside video it is that of ffmpeg, byte for byte, and so are parts of it",
      arguments: [
        "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_s24be", "pcm_s32be",
      ], ["", "-movflags +frag_keyframe+empty_moov"])
    func beside(codec: String, options: String) async throws {
      let path = scratch.path("a.mov")
      // Fragments of frames out of order begin late.
      let video = "-c:v libx264 -bf 0"
      try ffmpeg(Self.pictures, Self.sound, "\(video) -c:a \(codec) \(options)", to: path)
      try await expectAll(of: path, codec.replacing("be", with: "le"))
    }

    @Test(
      "beside video it is that of the movie that this wrote",
      arguments: [
        ("s24", "pcm_s24le"), ("s32", "pcm_s32le"), ("f32", "pcm_f32le"), ("f64", "pcm_f64le"),
      ])
    func besideWritten(format: String, codec: String) async throws {
      let (source, path) = (scratch.path("source.mov"), scratch.path("a.mov"))
      try ffmpeg(Self.pictures, Self.sound, "-c:v libx264 -c:a pcm_s16le", to: source)
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "format": { "type": "audioConvert", "sampleFormat": "\(format)" },
            "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.video -> out.video", "in.audio -> format -> out.pcm"] }
        """
      ).run()
      try await expectAll(of: path, codec)
    }

    private static let pictures = "-f lavfi -i testsrc=d=3:s=64x64"

    /// Reads a file's sound, and a second of it.
    private func expectAll(of path: String, _ format: String) async throws {
      let expected = try decoded(path, format)
      #expect(expected.count % (3 * 44_100 * 2) == 0 && !expected.isEmpty)
      // An array that differs takes minutes to print.
      let isRead = try await read(path, format) == expected
      #expect(isRead)
      let second = expected.count / 3
      let isPartRead =
        try await read(path, format, #", "from": 1, "duration": 1"#)
        == Array(expected[second..<2 * second])
      #expect(isPartRead)
    }

    @Test("broken tables are errors or sound, never a crash")
    func broken() throws {
      let path = scratch.path("a.mov")
      try ffmpeg(Self.sound, "-t 0.1 -c:a pcm_s16le", to: path)
      let whole = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let table = try #require(whole.firstRange(of: Array("stsc".utf8))).lowerBound
      for place in stride(from: table, to: min(whole.count, table + 84), by: 3) {
        var bytes = whole
        bytes[place] = 0xff
        let broken = try scratch.write(bytes, to: "broken.mov")
        guard let pcm = try? LiveEnvironment().discover(broken).first?.pcm else { continue }
        #expect(pcm.offset + pcm.frameCount * pcm.format.bytesPerFrame <= bytes.count)
      }
    }
  }
}
