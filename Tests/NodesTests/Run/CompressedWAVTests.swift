import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// WAV files of other audio than PCM.
  @Suite struct CompressedWAVTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Reads a file's audio into a WAV file of PCM, whose path is returned.
    private func read(_ path: String) async throws -> String {
      let wave = scratch.path("out.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "wavSink", "path": "\(wave)", "overwrite": true } },
          "wires": ["in.audio -> out"] }
        """)
      let warnings = try await run.run().warnings
      #expect(warnings == nil)
      return wave
    }

    @Test(
      "every sample is read, of an odd number of bytes, too",
      arguments: [
        "pcm_alaw", "pcm_mulaw", "libgsm_ms", "adpcm_ima_wav", "adpcm_ms",
      ], [7_998, 7_999, 8_000])
    func oddLength(codec: String, samples: Int) async throws {
      let path = scratch.path("a.wav")
      try ffmpeg(
        "-f lavfi -i sine=r=8000:d=1 -af atrim=end_sample=\(samples) -c:a \(codec)", to: path)
      let wave = try await read(path)
      let words = ["-v", "error", "-i", path, "-f", "s16le", "-"]
      #expect(try PCM.samples(ofWave: wave) == integers(Array(tool("ffmpeg", words))))
    }

    @Test(
      "what follows the audio takes nothing from it",
      arguments: [
        [], [0], [0, 0, 0], Array("LIST\u{4}\0\0\0INFO".utf8), Array("\0LIST\u{4}\0\0\0INFO".utf8),
      ], [7_999, 8_000])
    func trailer(bytes: [UInt8], samples: Int) async throws {
      let path = scratch.path("a.wav")
      try ffmpeg(
        "-f lavfi -i sine=r=8000:d=1 -af atrim=end_sample=\(samples) -c:a pcm_alaw", to: path)
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      let name = try #require(whole.range(of: Data("data".utf8)))
      let end = name.upperBound + 4 + samples
      try (whole.prefix(end) + Data(bytes)).write(to: URL(fileURLWithPath: path))
      let wave = try await read(path)
      let words = ["-v", "error", "-i", path, "-f", "s16le", "-"]
      #expect(try PCM.samples(ofWave: wave) == integers(Array(tool("ffmpeg", words))))
    }

    @Test(
      "so is every sample of them in AIFF-C", arguments: ["pcm_alaw", "pcm_mulaw"],
      [(7_999, 1), (8_000, 2)])
    func aiff(codec: String, sound: (samples: Int, channels: Int)) async throws {
      let path = scratch.path("a.aiff")
      try ffmpeg(
        "-f lavfi -i sine=r=8000:d=1 -af atrim=end_sample=\(sound.samples)",
        "-ac \(sound.channels) -c:a \(codec)", to: path)
      // What follows isn't audio.
      try (Data(contentsOf: URL(fileURLWithPath: path)) + Data("ANNO\0\0\0\u{4}abcd".utf8))
        .write(to: URL(fileURLWithPath: path))
      let wave = try await read(path)
      let words = ["-v", "error", "-i", path, "-f", "s16le", "-"]
      let expected = integers(Array(try tool("ffmpeg", words)))
      #expect(expected.count == sound.samples * sound.channels)
      #expect(try PCM.samples(ofWave: wave) == expected)
    }

    @Test("so are unsigned ones")
    func unsignedAIFF() async throws {
      let path = scratch.path("a.aiff")
      try ffmpeg("-f lavfi -i sine=r=48000:d=1 -c:a pcm_u8", to: path)
      let sound = try decodedSound(of: path)
      #expect(sound.count == 48_000)
      #expect(try decodedSound(of: await read(path)) == sound)
    }

    @Test("so they are wherever in the file they are", arguments: [0, 5])
    func aiffOrder(offset: UInt8) async throws {
      let common =
        Array("COMM".utf8) + [0, 0, 0, 24, 0, 1, 0, 0, 0, 9, 0, 16, 0x40, 0x0b, 0xfa, 0]
        + [0, 0, 0, 0, 0, 0] + Array("ULAW".utf8) + [0, 0]
      let laws: [UInt8] = [0x43, 0x2f, 0x26, 0x2c, 0x35, 0x3a, 0xdf, 0xc7, 0xbe]
      let filler = [UInt8](repeating: 0x78, count: Int(offset))
      let sound = Array("SSND".utf8) + [0, 0, 0, 17 + offset, 0, 0, 0, offset, 0, 0, 0, 0]
      let bytes =
        Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFC".utf8) + sound + filler + laws
        + [UInt8](repeating: 0, count: offset == 0 ? 1 : 0) + common
      let path = try scratch.write(bytes, to: "a.aifc")
      let wave = try await read(path)
      let words = ["-v", "error", "-f", "mulaw", "-ar", "8000", "-i", "-", "-f", "s16le", "-"]
      let raw = try scratch.write(laws, to: "a.ul")
      let expected = try tool("ffmpeg", words.map { $0 == "-" ? raw : $0 }.dropLast() + ["-"])
      #expect(try PCM.samples(ofWave: wave) == integers(Array(expected)))
    }

    @Test("a copy has every packet", arguments: ["libmp3lame", "ac3"], [1, 1.03])
    func copy(codec: String, seconds: Double) async throws {
      let (path, movie) = (scratch.path("a.wav"), scratch.path("a.mp4"))
      let packets = scratch.path("a." + (codec == "ac3" ? "ac3" : "mp3"))
      try ffmpeg(
        "-f lavfi -i sine=r=44100:d=\(seconds) -c:a \(codec) -write_xing 0", to: packets)
      try ffmpeg("-i \(packets) -c copy", to: path)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.audio -> movie.audio"] }
        """)
      let warnings = try await run.run().warnings
      #expect(warnings == nil)
      #expect(try packetCount(movie) == packetCount(packets))
    }

    @Test("every packet of AC-3 in many channels and many bits is read")
    func surround() async throws {
      let (path, packets) = (scratch.path("a.wav"), scratch.path("a.ac3"))
      try ffmpeg(
        "-f lavfi -i sine=r=48000:d=1 -af pan=5.1|c0=c0|c2=c0 -c:a ac3 -b:a 640k", to: packets)
      try ffmpeg("-i \(packets) -c copy", to: path)
      let wave = try await read(path)
      #expect(try decodedSound(of: wave).count == decodedSound(of: packets).count)
    }
  }
}
