import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Each channel of decoded sound is the one that ffmpeg makes.
  @Suite struct DecodedChannelTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func decoded(_ path: String, by decoder: String) throws -> [Int16] {
      let words = ["-v", "error", "-c:a", decoder, "-i", path, "-f", "s16le", "-"]
      return integers(Array(try tool("ffmpeg", words)))
    }

    @Test(
      "FLAC of seven and eight channels, on one core and on two", arguments: ["6.1", "7.1"],
      ["a.flac", "a.mka"])
    func manyChannels(layout: String, name: String) async throws {
      let path = scratch.path(name)
      let waves = (1...(layout == "6.1" ? 7 : 8)).map { "0.1*\($0)*sin(2*PI*(50*\($0)+t)*t)" }
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(waves.joined(separator: "|")):s=8000:d=20:c=\(layout)",
        "-c:a flac -sample_fmt s16", to: path)
      let expected = try decoded(path, by: "flac")
      for cores in [1, 2] {
        let samples = try await ReducedFile(input: path, cores: cores).samples(in: scratch)
        let isSame = samples == expected
        #expect(isSame, "\(Difference(samples, expected))")
      }
    }

    @Test("Opus whose channels are each other's inverse")
    func invertedOpus() async throws {
      let path = scratch.path("a.opus")
      let wave = "0.3*sin(880*PI*t)+0.3*sin(3300*PI*t)"
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(wave)|-0.8*(\(wave)):s=48000:d=2 -c:a libopus -b:a 24k", to: path)
      let (samples, expected) = (
        try await ReducedFile(input: path).samples(in: scratch), try decoded(path, by: "libopus")
      )
      let isSame = samples == expected
      #expect(isSame, "\(Difference(samples, expected))")
    }
  }
}
