import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Ogg whose first or last page cuts its audio, such as Opus that was cut out of a longer stream.
  @Suite struct CutOpusTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "has as many samples as other decoders make of it, with or without its last page",
      arguments: [0.5, 1.01, 2], [true, false])
    func counts(start: Double, isWhole: Bool) async throws {
      let (long, path) = (scratch.path("long.opus"), scratch.path("cut.opus"))
      let wave = scratch.path("out.wav")
      try ffmpeg("-f lavfi -i sine=f=300:r=48000:d=5 -c:a libopus", to: long)
      try ffmpeg("-ss \(start) -i \(long) -c copy -copyts", to: path)
      if !isWhole {
        let pages = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let last = try #require(pages.ranges(of: Array("OggS".utf8)).last?.lowerBound)
        _ = try scratch.write(pages[..<last], to: "cut.opus")
      }
      try await read(path, to: wave)
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count)
      #expect(zip(sound, expected).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test("so has audio beside video that its last page cuts", arguments: [44_100, 48_000])
    func multiplex(rate: Int) async throws {
      let (path, wave) = (scratch.path("a.ogg"), scratch.path("out.wav"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=32x32:r=24:d=0.08 -f lavfi -i sine=r=\(rate):d=6",
        "-af atrim=end_sample=96000 -c:v libtheora -c:a libvorbis", to: path)
      try await read(path, to: wave)
      #expect(try PCM.Wave(wave).samples.count == 96_000)
    }

    private func read(_ path: String, to wave: String) async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
    }
  }
}
