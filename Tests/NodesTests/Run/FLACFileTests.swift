import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// FLAC files whose headers aren't as the most usual encoders write them.
  @Suite struct FLACFileTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static func noise(_ count: Int) -> [Int16] {
      var state: UInt32 = 7
      return (0..<count).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int16(truncatingIfNeeded: state >> 18) - 8_192
      }
    }

    private func expect(_ samples: [Int16], of path: String) async throws {
      for cores in 1...3 {
        let found = try await ReducedFile(input: path, cores: cores).samples(in: scratch)
        #expect(found.count == samples.count, "\(cores) cores")
        let isSame = found == samples
        #expect(isSame, "\(cores) cores")
      }
      #expect(try await fileWarnings(of: path, in: scratch) == [])
      let isSame = try PCM.samples(ofWave: scratch.path("out.wav")) == samples
      #expect(isSame)
    }

    private func encode(_ samples: [Int16], _ options: String...) throws -> String {
      let (raw, path) = (try scratch.write(bytes(samples), to: "a.raw"), scratch.path("a.flac"))
      let format = ["--force-raw-format", "--endian=little", "--sign=signed", "--channels=1"]
      try tool(
        "flac",
        ["-s", "-f", "--lax", "--bps=16", "--sample-rate=16000"] + format + options
          + ["-o", path, raw])
      return path
    }

    /// The encoder then says where the audio begins before what it is, of which GStreamer complains.
    @Test("audio that is shorter than a block is encoded without a warning") func shortAudio()
      async throws
    {
      let (path, made) = (try encode(Self.noise(320)), scratch.path("made.flac"))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "flac": { "type": "flacEncoder" },
            "out": { "type": "audioSink", "path": "\(made)" } },
          "wires": ["in.audio -> flac -> out"] }
        """)
      let report = try await run.run()
      #expect(report.warnings == nil)
      try await expect(Self.noise(320), of: made)
    }

    @Test(
      "no sample of a last frame is lost, wherever runs meet in it",
      arguments: [(128_601, 16_384), (128_001, 13_456), (262_000, 65_535), (131_072, 16_384)])
    func lastFrame(count: Int, blockSize: Int) async throws {
      let samples = Self.noise(count)
      try await expect(samples, of: encode(samples, "-b", "\(blockSize)"))
    }

    @Test("a copy in a movie ends with the last sample")
    func copiesToTheEnd() async throws {
      let (path, copy) = (try encode(Self.noise(20_007), "-b", "4096"), scratch.path("copy.mp4"))
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(copy)" } },
          "wires": ["in.audio -> movie"] }
        """
      ).run()
      #expect(try probe(copy).map { ($0.end * 16_000).rounded() } == [20_007])
    }

    @Test("blocks of several sizes, that number samples or say that they number frames")
    func blocks() async throws {
      let samples = Self.noise(300_000)
      let sizes = [4_608, 2_304, 2_304, 576, 1_152, 4_608, 576, 2_304]
      for isVariable in [true, false] {
        let format = FLACStream.Format()
        var stream = FLACStream(format, blocks: 576...4_608)
        var place = 0
        for index in 0... {
          guard place < samples.count else { break }
          let block = samples[place...].prefix(sizes[index % sizes.count])
          stream.add(block, number: place, format, isVariable: isVariable)
          place += block.count
        }
        try await expect(samples, of: scratch.write(stream.bytes, to: "blocks.flac"))
      }
    }

    @Test(
      "a header with wrong sizes of frames loses none",
      arguments: [(0, 654), (0, 100), (60_000, 60_000), (0xff_ffff, 0), (1, 0xff_ffff)])
    func frameSizes(least: Int, most: Int) async throws {
      let samples = Self.noise(20_000) + [Int16](repeating: 0, count: 30_000) + Self.noise(20_000)
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: encode(samples, "-b", "4608"))))
      let sizes = [least, most].flatMap { size in [16, 8, 0].map { UInt8(size >> $0 & 255) } }
      bytes.replaceSubrange(12..<18, with: sizes)
      try await expect(samples, of: scratch.write(bytes, to: "sizes.flac"))
    }

    /// A decoder makes nothing of a damaged frame; what follows keeps its time.
    @Test func eachDamagedFrameIsAGapThatIsReported() async throws {
      let samples = Self.noise(16_000 * 12)
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: encode(samples, "-b", "4096"))))
      let places = [0.2, 0.5, 0.8].map { Int(Double(bytes.count) * $0) }
      for place in places { for index in 0..<300 { bytes[place + index] ^= 0x5a } }
      let path = try scratch.write(bytes, to: "damaged.flac")
      let warnings = try await fileWarnings(of: path, in: scratch)
      #expect(warnings.count == 3, "\(warnings)")
      #expect(warnings.allSatisfy { $0.message.contains("there is no audio from ") }, "\(warnings)")
      let found = try PCM.samples(ofWave: scratch.path("out.wav"))
      #expect(found.count == samples.count - 3 * 4_096)
      let isSame = found.prefix(4_096 * 8) == samples.prefix(4_096 * 8)
      #expect(isSame && found.suffix(4_096 * 8) == samples.suffix(4_096 * 8))
    }

    /// Of files that are joined, no more than what is cut where they meet is lost, and that is said.
    @Test(arguments: ["--padding=0", "--padding=8192"])
    func filesThatAreJoinedAreReadOn(padding: String) async throws {
      let samples = Self.noise(16_000 * 20 + 77)
      let bytes = try Array(
        Data(contentsOf: URL(fileURLWithPath: encode(samples, "-b", "4096", padding))))
      let path = try scratch.write(bytes + bytes, to: "joined.flac")
      let warnings = try await fileWarnings(of: path, in: scratch)
      let found = try PCM.samples(ofWave: scratch.path("out.wav"))
      let lost = 2 * samples.count - found.count
      #expect(lost >= 0 && lost <= 2 * 4_096, "\(lost)")
      #expect(warnings.isEmpty == (lost == 0), "\(warnings)")
      let isSame = found.prefix(samples.count) == samples[...]
      #expect(isSame && found.suffix(16_000 * 19) == samples.suffix(16_000 * 19))
      for cores in 1...2 {
        let reduced = try await ReducedFile(input: path, cores: cores).samples(in: scratch)
        #expect(reduced.count >= found.count - 4_096, "\(cores) cores: \(reduced.count)")
      }
    }

    static let changes = [
      FLACStream.Format(rate: 24_000), FLACStream.Format(channels: 2), FLACStream.Format(bits: 24),
    ]

    /// A file of a second of one format and some more of another.
    private func changing(to format: FLACStream.Format, seconds: Int) throws -> String {
      let first = FLACStream.Format()
      var stream = FLACStream(first, blocks: 4_000...4_000)
      let samples = Self.noise(4_000)
      for number in 0..<4 { stream.add(samples, number: number, first) }
      for number in 4..<4 + seconds * 4 { stream.add(samples, number: number, format) }
      return try scratch.write(stream.bytes, to: "changes.flac")
    }

    @Test(
      "another format within the file is an error that says where",
      arguments: changes, [1, 60])
    func change(to format: FLACStream.Format, seconds: Int) async throws {
      let path = try changing(to: format, seconds: seconds)
      let sink = "\"path\": \"\(scratch.path("out.wav"))\", \"overwrite\": true"
      for (node, way) in [("", ""), ("\"rate\": { \"type\": \"resample\" },", "rate -> ")] {
        let heard = await failure {
          _ = try await pipeline(
            """
            { "nodes": { "in": { "type": "file", "path": "\(path)" }, \(node)
                "wave": { "type": "wavSink", \(sink) } },
              "wires": ["in.audio -> \(way)wave"] }
            """
          ).run()
          return ""
        }
        #expect(heard.contains("changes") && heard.contains("1.0 s"), "\(heard)")
      }
      let copied = await failure {
        _ = try await pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)" },
              "movie": { "type": "mp4Sink", "path": "\(scratch.path("copy.mp4"))" } },
            "wires": ["in.audio -> movie"] }
          """
        ).run()
        return ""
      }
      #expect(copied.contains("changes at 1.000 s"), "\(copied)")
      for cores in 1...2 {
        let heard = await failure {
          _ = try await ReducedFile(input: path, cores: cores).samples(in: scratch)
          return ""
        }
        #expect(heard.contains("changes") && heard.contains("1.0 s"), "\(heard)")
      }
    }

    /// What a run that fails says, or else what `body` returns.
    private func failure(_ body: () async throws -> String) async -> String {
      do { return try await body() } catch { return "\(error)" }
    }
  }
}
