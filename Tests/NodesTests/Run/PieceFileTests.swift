import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Sound that is decoded in pieces has the points of sound that isn't.
  @Suite struct PieceFileTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let sound = "-f lavfi -i aevalsrc=0.4*sin(200*PI*t)+0.2*sin(PI*(90+9*t)*t)"
    private static let length = ":sample_rate=8000:d=50"
    /// With noise in it, every sample of a lossy codec depends on the last bit of its arithmetic.
    private static let noise = "-f lavfi -i anoisesrc=color=pink:amplitude=0.5:seed=7"

    struct File: Sendable, CustomTestStringConvertible {
      var name: String
      var options: String
      var length = PieceFileTests.length
      /// Whether it is split at all.
      var isSplit = true
      var testDescription: String { "\(name) \(options)" }
    }

    static let files: [File] = [
      // PCM is worth more threads from a million frames on.
      File(name: "a.wav", options: "-c:a pcm_s16le", length: ":sample_rate=44100:d=30"),
      File(name: "b.wav", options: "-c:a pcm_s24le", length: ":sample_rate=44100:d=30"),
      File(name: "a.flac", options: "-ac 2 -c:a flac"), File(name: "a.mkv", options: "-c:a flac"),
      // What these decode to depends on where a decoder begins, so they stay whole.
      File(name: "a.ogg", options: "-c:a libvorbis", isSplit: false),
      File(name: "a.opus", options: "-c:a libopus", isSplit: false),
    ]

    @Test(arguments: files)
    func piecesAreTheWhole(_ file: File) async throws {
      let path = scratch.path(file.name)
      try ffmpeg(Self.sound + file.length, file.options, to: path)
      var reduced = ReducedFile(
        input: path, settings: ", \"samplesPerPixel\": 64", isWhole: true)
      let expected = try await reduced.points(in: scratch)
      #expect(expected.count > 12_000)
      reduced.isWhole = false
      for cores in 1...3 {
        reduced.cores = cores
        let plan = try reduced.plan(to: scratch.path("none.dat"))
        let isSplit = file.isSplit && (cores > 1 || file.name != "a.wav" && file.name != "b.wav")
        #expect(plan.nodes.contains { $0.name == "waveform:\(max(2, cores))" } == isSplit)
        let points = try await reduced.points(in: scratch)
        #expect(points == expected, "\(Difference(points, expected))")
      }
    }

    @Test func piecesAreSentWhileOthersAreDecoded() async throws {
      let path = scratch.path("a.flac")
      try ffmpeg(Self.sound + Self.length, "-c:a flac", to: path)
      let expected = try await ReducedFile(input: path).points(in: scratch)
      let json = """
        { "nodes": {
            "in": { "type": "file", "path": "\(path)" },
            "waveform": { "type": "waveform", "updateInterval": 1 },
            "points": { "type": "appOutput" } },
          "wires": ["in.audio -> waveform -> points"] }
        """
      let graph = try Graph(
        checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
      let run = try Pipeline(Plan(graph, cores: 2), environment: LiveEnvironment())
      let output = try run.output("points")
      run.start()
      var parts: [[Int16]] = []
      while let sample = await output.next() { parts.append(sample.peaks?.values ?? []) }
      // At most a part for each run of eight seconds: one core may be ahead of the other.
      #expect((3...7).contains(parts.count { !$0.isEmpty }))
      #expect(parts.flatMap { $0 } == expected)
      _ = try await run.end()
    }

    private static let options = "-c:a libmp3lame "
    static let mp3Files = [
      File(name: "mono.mp3", options: options + "-b:a 64k", length: ":sample_rate=44100:d=36"),
      File(
        name: "stereo.mp3", options: options + "-q:a 0 -ac 2", length: ":sample_rate=44100:d=36"),
      File(
        name: "loud.mp3", options: options + "-b:a 320k -ac 2", length: ":sample_rate=48000:d=36"),
      File(name: "low.mp3", options: options + "-b:a 8k", length: ":sample_rate=24000:d=36"),
      File(name: "slow.mp3", options: options + "-b:a 16k", length: ":sample_rate=8000:d=50"),
      File(
        name: "mean.mp3", options: options + "-abr 1 -b:a 40k -ac 2",
        length: ":sample_rate=22050:d=36"),
      File(name: "open.mp3", options: options + "-write_xing 0", length: ":sample_rate=32000:d=36"),
      File(name: "a.mkv", options: options + "-b:a 64k", length: ":sample_rate=44100:d=36"),
      File(name: "a.mp4", options: options + "-b:a 64k", length: ":sample_rate=44100:d=36"),
    ]

    @Test("samples of MP3 are the same on any number of cores", arguments: mp3Files)
    func piecesOfMP3(_ file: File) async throws {
      let path = scratch.path(file.name)
      try ffmpeg(Self.noise + file.length, file.options, to: path)
      try await expectSame(
        ReducedFile(input: path, settings: ", \"samplesPerPixel\": 16", isWhole: true), on: [1, 5])
    }

    @Test("a part of MP3 is the same on any number of cores")
    func partOfMP3() async throws {
      let path = scratch.path("a.mp3")
      try ffmpeg(Self.noise + ":sample_rate=8000:d=50", "-c:a libmp3lame -b:a 16k", to: path)
      let part = ", \"startAt\": 15.9, \"endAt\": 33, \"samplesPerPixel\": 8"
      try await expectSame(
        ReducedFile(input: path, settings: part, isWhole: true), on: [1, 3, 5])
    }

    @Test("damage to MP3 loses no sample, and moves none")
    func damagedMP3() async throws {
      let path = scratch.path("a.mp3")
      try ffmpeg(
        Self.noise + ":sample_rate=48000:d=36",
        "-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0",
        to: path)
      var bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      // All frames are of 384 bytes: one without its header, one with nonsense for side
      // information, and nonsense between two.
      bytes[800 * 384] = 0
      for index in 500 * 384 + 4..<500 * 384 + 21 { bytes[index] = 0xff }
      bytes.insert(contentsOf: (0..<3_000).map { UInt8($0 * 37 % 251) }, at: 300 * 384)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      var reduced = ReducedFile(input: path, settings: ", \"samplesPerPixel\": 16")
      let points = try await expectSame(reduced, on: [1, 2, 3])
      reduced.isWhole = true
      let whole = try await reduced.points(in: scratch)
      #expect(points.count == whole.count && Difference(points, whole).most <= 1)
    }

    /// 36 s of FLAC, in which a part of a second at 24 s may be nonsense.
    private func fileOfFLAC(isDamaged: Bool) throws -> String {
      let path = scratch.path(isDamaged ? "damaged.flac" : "a.flac")
      try ffmpeg(Self.noise + ":sample_rate=44100:d=36", "-c:a flac -frame_size 4096", to: path)
      guard isDamaged else { return path }
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let start = bytes.count * 2 / 3
      for index in start..<start + 20_000 { bytes[index] = UInt8(index * 37 % 251) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return path
    }

    @Test("damage to FLAC is said with its place, and the same on any number of cores")
    func damagedFLAC() async throws {
      let whole = try await ReducedFile(input: fileOfFLAC(isDamaged: false)).points(in: scratch)
      let damaged = ReducedFile(input: try fileOfFLAC(isDamaged: true))
      let points = try await expectSame(damaged, on: [1, 2, 3])
      // The parser leaves out whole frames, each of 16 points; all else is where it was.
      let missing = (whole.count - points.count) / 2
      #expect((16...400).contains(missing) && missing % 16 == 0)
      #expect(points.prefix(8_000) == whole.prefix(8_000))
      #expect(points.suffix(3_000) == whole.suffix(3_000))
      for cores in 1...2 {
        var file = damaged
        file.cores = cores
        let run = try file.pipeline(to: scratch.path("\(cores).dat"))
        let warnings = try await run.run().warnings ?? []
        #expect(
          !warnings.isEmpty
            && warnings.allSatisfy { $0.message.hasPrefix("there is no audio from 2") })
      }
    }

    @Test("several reducers of one stream share its decoders")
    func several() async throws {
      let path = try fileOfFLAC(isDamaged: true)
      let single = try await ReducedFile(input: path).points(in: scratch)
      for cores in 1...2 {
        let output = scratch.path("several\(cores).dat")
        let json = """
          { "nodes": {
              "in": { "type": "file", "path": "\(path)" },
              "waveform": { "type": "waveform", "channels": "split" },
              "points": { "type": "peaksSink", "path": "\(output)", "datVersion": 2 },
              "silence": { "type": "silence" },
              "silences": { "type": "measurementSink", "path": "\(output).txt" } },
            "wires": ["in.audio -> waveform -> points", "in.audio -> silence -> silences"] }
          """
        let graph = try Graph(
          checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
        let plan = try Plan(graph, cores: cores)
        #expect(plan.nodes.count { $0.name.hasPrefix("decode:") } == 2)
        #expect(try await Pipeline(plan, environment: LiveEnvironment()).run().unbalanced == [])
        let data = try Data(contentsOf: URL(fileURLWithPath: output))
        #expect(integers(Array(data.dropFirst(24))) == single)
      }
    }

    @discardableResult
    private func expectSame(_ file: ReducedFile, on cores: [Int]) async throws -> [Int16] {
      var reduced = file
      let expected = try await reduced.points(in: scratch)
      #expect(expected.count > 10_000)
      reduced.isWhole = false
      for cores in cores {
        reduced.cores = cores
        let plan = try reduced.plan(to: scratch.path("none.dat"))
        #expect(plan.nodes.contains { $0.name == "waveform:\(max(2, cores))" })
        let points = try await reduced.points(in: scratch)
        #expect(points == expected, "\(Difference(points, expected))")
      }
      return expected
    }

    @Test(
      "sound of AAC is the same on any number of cores, noise that decoders make up included",
      arguments: [
        ("a.m4a", "", ""), ("b.mkv", "", ", \"startAt\": 15.9, \"endAt\": 33"),
        ("c.m4a", "-b:a 32k", ""), ("d.aac", "", ", \"startAt\": 15.9, \"endAt\": 33"),
      ])
    func piecesOfAAC(name: String, options: String, part: String) async throws {
      let path = scratch.path(name)
      try ffmpeg(Self.noise + ":sample_rate=44100:d=40", "-c:a aac", options, to: path)
      // On one core, too, two decoders take runs by turns.
      try await expectSame(
        ReducedFile(input: path, settings: part + ", \"samplesPerPixel\": 8"), on: [3])
    }

    /// Expects the points of another file, on one core and on two.
    private func expectPoints(of path: String, like other: String) async throws {
      let expected = try await ReducedFile(input: other).points(in: scratch)
      for cores in 1...2 {
        let points = try await ReducedFile(input: path, cores: cores).points(in: scratch)
        #expect(points == expected, "\(Difference(points, expected))")
      }
    }

    @Test("runs of AAC without noise of the decoder's own are what the whole stream is")
    func runsOfAAC() async throws {
      let (path, whole) = (scratch.path("a.m4a"), scratch.path("whole.wav"))
      try ffmpeg(Self.noise + ":sample_rate=44100:d=50", "-c:a aac -aac_pns 0 -b:a 192k", to: path)
      try ffmpeg("-i \(path) -c:a pcm_f32le", to: whole)
      try await expectPoints(of: path, like: whole)
    }

    @Test("a packet of AAC that is presented in part is cut there")
    func partOfAPacket() async throws {
      let (whole, path) = (scratch.path("whole.m4a"), scratch.path("a.m4a"))
      let decoded = scratch.path("a.wav")
      try ffmpeg(
        Self.noise + ":sample_rate=44100:d=9", "-ac 2 -c:a aac -aac_pns 0 -b:a 192k", to: whole)
      try ffmpeg("-ss 3.3 -i \(whole) -c copy", to: path)
      try ffmpeg("-i \(path) -c:a pcm_f32le", to: decoded)
      try await expectPoints(of: path, like: decoded)
    }

    @Test("MP3 whose sampling rate changes is refused on any number of cores")
    func otherRate() async throws {
      let paths = [44_100, 22_050].map { (rate: $0, path: scratch.path("\($0).mp3")) }
      for (rate, path) in paths {
        try ffmpeg(
          Self.noise + ":sample_rate=\(rate):d=4", "-c:a libmp3lame -write_xing 0 -id3v2_version 0",
          to: path)
      }
      let both = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0.path)) }
      let path = try scratch.write(both[0] + both[1], to: "both.mp3")
      for cores in 1...2 {
        await #expect(throws: RunError.self) {
          try await ReducedFile(input: path, cores: cores).points(in: scratch)
        }
      }
    }

    @Test("frames of FLAC that lie across the border of two pieces are whole")
    func flac() async throws {
      let (wav, flac) = (scratch.path("a.wav"), scratch.path("a.flac"))
      let sound = "-f lavfi -i sine=f=100:r=8000:d=50 -ac 2"
      try ffmpeg(sound + " -c:a pcm_s16le", to: wav)
      try ffmpeg(sound + " -c:a flac", to: flac)
      let expected = try await ReducedFile(input: wav).points(in: scratch)
      #expect(expected.count == 1_563 * 4)
      for cores in 1...3 {
        #expect(try await ReducedFile(input: flac, cores: cores).points(in: scratch) == expected)
      }
    }

    @Test("a file that is shorter than a run leaves decoders without work")
    func short() async throws {
      for (name, options) in [("a.flac", ""), ("a.mp3", "-c:a libmp3lame"), ("a.m4a", "-c:a aac")] {
        let path = scratch.path(name)
        try ffmpeg(Self.sound + ":sample_rate=44100:d=2", options, to: path)
        let expected = try await ReducedFile(input: path).points(in: scratch)
        let pieces = try await ReducedFile(input: path, cores: 3).points(in: scratch)
        #expect(pieces == expected, "\(name)")
      }
    }

    @Test("a decoder that may double the rate gets the whole stream")
    func highEfficiency() throws {
      let (whole, input) = (scratch.path("a.m4a"), scratch.path("a.aac"))
      try ffmpeg(Self.sound + ":sample_rate=22050:d=1 -c:a aac", to: whole)
      try ffmpeg("-i \(whole) -c:a copy", to: input)
      let plan = try ReducedFile(input: input, cores: 3).plan(to: scratch.path("none.dat"))
      #expect(!plan.nodes.contains { $0.name.hasPrefix("split:") })
    }
  }
}
