import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Opus that was cut out of a longer stream, whose first page doesn't begin at 0.
  @Suite(.timeLimit(.minutes(15))) struct CutOpusTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test("has as many samples as other decoders make of it", arguments: [0.5, 2])
    func counts(start: Double) async throws {
      let (long, path) = (scratch.path("long.opus"), scratch.path("cut.opus"))
      let wave = scratch.path("out.wav")
      try ffmpeg("-f lavfi -i sine=f=300:r=48000:d=5 -c:a libopus", to: long)
      try ffmpeg("-ss \(start) -i \(long) -c copy -copyts", to: path)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count)
      #expect(zip(sound, expected).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }
  }
}
