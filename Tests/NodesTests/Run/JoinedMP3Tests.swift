import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files of MP3 that were joined byte by byte, each with a header that counts its own frames.
  @Suite struct JoinedMP3Tests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test("all of them are read", arguments: ["", "-id3v2_version 0"])
    func joined(options: String) async throws {
      var bytes = Data()
      for (number, seconds) in [1, 2].enumerated() {
        let path = scratch.path("\(number).mp3")
        try ffmpeg(
          "-f lavfi -i sine=f=\(440 + 440 * number):r=48000:d=\(seconds) -c:a libmp3lame", options,
          to: path)
        bytes += try Data(contentsOf: URL(fileURLWithPath: path))
      }
      let (path, wave) = (try scratch.write(bytes, to: "all.mp3"), scratch.path("a.wav"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "wave": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> wave"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      // A decoder may know the second header for no sound, which ffmpeg takes for silence.
      #expect(expected.count > 144_000 && [0, 1_152].contains(expected.count - sound.count))
      let ends = zip(sound.suffix(80_000), expected.suffix(80_000))
      #expect(ends.allSatisfy { abs(Int($0) - Int($1)) <= 150 })
      let points = try await ReducedFile(
        input: path, settings: ", \"samplesPerPixel\": 64", cores: 2
      ).points(in: scratch)
      #expect(points.count == (sound.count + 63) / 64 * 2)
    }
  }
}
