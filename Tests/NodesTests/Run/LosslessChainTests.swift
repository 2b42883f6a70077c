import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// Audio that is handed on, and not computed, keeps each of its samples.
  @Suite struct LosslessChainTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func run(_ nodes: String, _ wires: String, _ input: String, to path: String)
      async throws
    {
      _ = try await pipeline(
        """
        { "nodes": { "a": { "type": "file", "path": "\(input)" }, \(nodes)
            "flac": { "type": "flacEncoder" }, "out": { "type": "audioSink", "path": "\(path)" } },
          "wires": [\(wires), "flac -> out"] }
        """
      ).run()
    }

    private func samples(_ path: String, _ filter: String = "anull") throws -> Data {
      let raw = ["-c:a", "pcm_s32le", "-f", "s32le", "-"]
      let words = ["-v", "error", "-i", path, "-af", filter] + raw
      return try tool("ffmpeg", words)
    }

    private static let nodes = [
      #""x": { "type": "trim", "from": 0.5, "to": 1.25 },"#,
      #""x": { "type": "reverse" },"#,
    ]
    private static let filters = ["atrim=0.5:1.25", "areverse"]

    @Test("samples are those of ffmpeg", arguments: 0..<2, [16, 24])
    func isExact(part: Int, bits: Int) async throws {
      let (input, path) = (scratch.path("in.flac"), scratch.path("out.flac"))
      let format = bits == 24 ? "s32 -bits_per_raw_sample 24" : "s16"
      try ffmpeg(
        "-f lavfi -i aevalsrc=random(0)*0.6-0.3|random(1)*0.6-0.3:s=48000:d=2 -sample_fmt \(format)",
        to: input)
      try await run(Self.nodes[part], #""a.audio -> x -> flac""#, input, to: path)
      let found = try samples(path)
      #expect(try found == samples(input, Self.filters[part]) && found.count > 8 * 30_000)
    }

    @Test("parts of files of 16 bits follow each other as they are")
    func joins() async throws {
      let (input, path) = (scratch.path("in.flac"), scratch.path("out.flac"))
      try ffmpeg(
        "-f lavfi -i aevalsrc=random(0)*0.6-0.3:s=48000:d=1 -sample_fmt s16", to: input)
      try await run(
        """
        "b": { "type": "file", "path": "\(input)" }, "x": { "type": "concat" },
        """, #""a.audio -> x.audio", "b.audio -> x.audio.2", "x.audio -> flac""#, input, to: path)
      let once = try samples(input)
      #expect(try samples(path) == once + once)
    }

    @Test("so do those of a file that is played again")
    func loops() async throws {
      let (input, path) = (scratch.path("in.flac"), scratch.path("out.flac"))
      try ffmpeg(
        "-f lavfi -i aevalsrc=random(0)*0.6-0.3:s=48000:d=1 -sample_fmt s16", to: input)
      _ = try await pipeline(
        """
        { "nodes": { "a": { "type": "file", "path": "\(input)", "loop": 2 },
            "flac": { "type": "flacEncoder" }, "out": { "type": "audioSink", "path": "\(path)" } },
          "wires": ["a.audio -> flac -> out"] }
        """
      ).run()
      let once = try samples(input)
      #expect(try samples(path) == once + once)
    }

    /// What is resampled is computed, and has noise where it goes back to 16 bits.
    @Test("another rate has its noise")
    func resamples() async throws {
      let (input, path) = (scratch.path("in.flac"), scratch.path("out.flac"))
      try ffmpeg("-f lavfi -i anullsrc=r=44100:cl=mono -t 1 -sample_fmt s16", to: input)
      try await run(
        #""x": { "type": "concat", "sampleRate": 48000 },"#,
        #""a.audio -> x.audio", "x.audio -> flac""#, input, to: path)
      #expect(try samples(path).contains { $0 != 0 })
    }

    @Test("silence of 8 bits is silence of 16")
    func widens() async throws {
      let (input, path) = (scratch.path("in.wav"), scratch.path("out.flac"))
      try ffmpeg("-f lavfi -i anullsrc=r=48000:cl=mono -t 1 -c:a pcm_u8", to: input)
      try await run("", #""a.audio -> flac""#, input, to: path)
      #expect(try samples(path) == Data(count: 4 * 48_000))
    }

    @Test("what is computed of 24 bits has as many")
    func computes() async throws {
      let (input, path) = (scratch.path("in.flac"), scratch.path("out.flac"))
      try ffmpeg(
        "-f lavfi -i aevalsrc=random(0)*0.6-0.3:s=48000:d=1 -sample_fmt s32 -bits_per_raw_sample 24",
        to: input)
      try await run(
        #""x": { "type": "gain", "decibels": 0 },"#, #""a.audio -> x -> flac""#, input, to: path)
      #expect(try samples(path) == samples(input))
    }
  }
}
