import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Parts of files, compared with the same part of what ffmpeg decodes of the whole.
  @Suite struct FileRangeTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let sounds = [
      "a.m4a -c:a aac -aac_pns 0", "a.flac -sample_fmt s16", "a.wav -c:a pcm_s16le",
      "a.ogg -c:a libvorbis", "a.mp3 -c:a libmp3lame", "alac.m4a -c:a alac",
      "a.aac -c:a aac -aac_pns 0", "a.aiff -c:a pcm_s16be", "pcm.mkv -c:a pcm_s16le",
      "pcm.avi -c:a pcm_s16le", "pcm.mov -c:a pcm_s16le", "a.mkv -c:a flac",
      "a.ts -c:a aac -aac_pns 0", "a.opus -c:a libopus",
    ]

    private static let ranges = [
      #""from": 1.5, "to": 2.25"#, #""from": 2.12345, "duration": 0.1"#, #""to": 0.7"#,
      #""from": 3.2"#,
    ]

    @Test("audio begins and ends at the sample", arguments: sounds)
    func cutsSound(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg(
        "-f lavfi -i sine=f=441:r=48000:d=4 -f lavfi -i aevalsrc=random(1)*0.3:s=48000:d=4",
        "-filter_complex amix=2 -ac 1", words[1], to: path)
      let whole = try decodedSound(of: path)
      for range in Self.ranges {
        let part = try await part(of: path, range, ofWhole: whole.count)
        let (got, wanted) = (try await sound(of: path, range), whole[part])
        #expect(got.count == wanted.count, "\(range)")
        let difference = zip(got, wanted).map { abs(Int($0) - Int($1)) }
        // What the last packets of Opus end with depends on the decoder.
        let count = part.upperBound == whole.count ? difference.count - 960 : difference.count
        #expect(difference.prefix(count).max() ?? .max <= 2, "\(range)")
      }
    }

    /// The samples at 48 kHz that a range has of a file.
    private func part(of path: String, _ range: String, ofWhole count: Int) async throws
      -> Range<Int>
    {
      let values = try JSONDecoder().decode([String: Double].self, from: Data("{\(range)}".utf8))
      let from = values["from"] ?? 0
      let end = values["to"] ?? values["duration"].map { from + $0 }
      return Int((from * 48_000).rounded())..<(end.map { Int(($0 * 48_000).rounded()) } ?? count)
    }

    /// Whether the graph of a range has a decoder, as half of them do: else one is put in.
    private static func namesDecoder(_ range: String) -> Bool { range.contains(#""to""#) }

    @Test(
      "a frame that is on screen for seconds is there from the first moment on",
      arguments: ["a.mp4 -bf 0", "a.mp4 -bf 3", "a.mkv -bf 3", "a.ts -bf 0"])
    func beginsOnScreen(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let (path, movie) = (scratch.path(words[0]), scratch.path("part.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=14,select='not(mod(n\\,40))' -fps_mode passthrough",
        "-c:v libx264 -pix_fmt yuv420p", words[1], to: path)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 2, "to": 10 },
            "d": { "type": "decoder" }, "v": { "type": "h264Encoder", "bFrames": 0 },
            "out": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> d -> v -> out"] }
        """
      ).run()
      #expect(report.state == .completed)
      let entries = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", movie]
      let times = try String(decoding: tool("ffprobe", entries), as: UTF8.self)
        .split(whereSeparator: \.isNewline).compactMap { Double($0) }
      #expect(
        times.count == 3 && zip(times, [0, 2, 6]).allSatisfy { abs($0 - $1) < 0.1 }, "\(times)")
    }

    /// A movie would say when the frame ends, which ffmpeg takes for a tenth of a second.
    @Test("a part that is all within the last frame of a Matroska file has it")
    func isWithinTheLastFrame() async throws {
      let path = scratch.path("a.mkv")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=14,select='not(mod(n\\,40))'",
        "-f lavfi -i sine=d=16 -fps_mode passthrough -c:v libx264 -pix_fmt yuv420p -c:a aac",
        to: path)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 13, "to": 15 },
            "dv": { "type": "decoder" }, "da": { "type": "decoder" },
            "v": { "type": "nullSink" }, "a": { "type": "nullSink" } },
          "wires": ["in.video -> dv -> v", "in.audio -> da -> a"] }
        """
      ).run()
      #expect(report.wires["dv.out -> v.in"]?.samplesOut == 1)
      #expect((report.wires["da.out -> a.in"]?.samplesOut ?? 0) > 80)
    }

    private func sound(of path: String, _ range: String) async throws -> [Int16] {
      let output = scratch.path("\(UUID().uuidString).wav")
      let isRaw =
        ["wav", "aiff"].contains(path.split(separator: ".").last) || path.contains("pcm.")
      let isNamed = !isRaw && Self.namesDecoder(range)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", \(range) },
            \(isNamed ? #""d": { "type": "decoder", "media": "audio" },"# : "")
            "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> \(isNamed ? "d -> " : "")out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      return try decodedSound(of: output)
    }

    static let movies = [
      "v.mp4 -c:v libx264 -preset ultrafast -bf 2 -g 40", "v.mov -c:v libx264 -bf 3 -g 250",
      "v.avi -c:v mpeg4 -bf 0",
      "open.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=none",
      "raw.avi -c:v rawvideo", "v.webm -c:v libvpx -deadline realtime -g 30",
      "v.ts -c:v libx264 -preset ultrafast -bf 2 -g 25",
    ]

    @Test("video begins with the frame that is shown, and ends before the end", arguments: movies)
    func cutsVideo(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg(
        "-f lavfi -i testsrc2=s=96x64:r=25:d=4 -pix_fmt yuv420p", words[1], to: path)
      let whole = try pictures(of: path)
      #expect(whole.count == 100)
      for (range, part) in [
        (#""from": 1.5, "to": 2.25"#, 37..<57), (#""from": 2, "duration": 0.5"#, 50..<63),
        (#""to": 0.7"#, 0..<18), (#""from": 3.2"#, 80..<100),
      ] {
        #expect(try await pictures(of: path, range) == Array(whole[part]), "\(range)")
      }
    }

    private static let frameSize = 96 * 64 * 3 / 2

    private func pictures(of path: String) throws -> [Data] {
      frames(
        try tool(
          "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]))
    }

    private func frames(_ data: Data) -> [Data] {
      stride(from: 0, to: data.count, by: Self.frameSize).map { data[$0..<($0 + Self.frameSize)] }
    }

    private func pictures(of path: String, _ range: String) async throws -> [Data] {
      let output = scratch.path("\(UUID().uuidString).yuv")
      let decoder = path.contains("raw.") || !Self.namesDecoder(range) ? "" : "d -> "
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", \(range) },
            \(decoder.isEmpty ? "" : #""d": { "type": "decoder", "media": "video" },"#)
            "c": { "type": "videoConvert", "pixelFormat": "i420" },
            "out": { "type": "gst", "element": "filesink",
              "properties": { "location": "\(output)" } } },
          "wires": ["in.video -> \(decoder)c -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      return frames(try Data(contentsOf: URL(fileURLWithPath: output)))
    }

    @Test("audio and video of a part begin and end together")
    func keepsTracksTogether() async throws {
      let (path, output) = (scratch.path("both.mp4"), scratch.path("part.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=96x64:r=25:d=6 -f lavfi -i sine=r=48000:d=6 -c:v libx264",
        "-preset ultrafast -g 50 -pix_fmt yuv420p -c:a aac -shortest", to: path)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 2.2, "to": 4 },
            "v": { "type": "decoder", "media": "video" }, "ve": { "type": "h264Encoder" },
            "a": { "type": "decoder", "media": "audio" }, "ae": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> v -> ve -> movie.video", "in.audio -> a -> ae -> movie.audio"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let streams = try probe(output)
      #expect(streams.map(\.start) == [0, 0])
      #expect(streams[0].frames == 45)
      #expect(streams.allSatisfy { abs($0.end - 1.8) < 0.001 }, "\(streams)")
    }

    @Test(
      "what can't be read is refused in words",
      arguments: [
        (#""from": 3, "to": 2"#, "the part ends at 2.0 s, and begins at 3.0 s"),
        (#""to": 2, "duration": 1"#, "`to` and `duration` both say where the part ends"),
        (#""duration": 0"#, "the part lasts no time"),
        (#""from": 7"#, "before the part that is to be read"),
      ])
    func refuses(_ range: String, _ words: String) throws {
      let path = scratch.path("short.wav")
      try ffmpeg("-f lavfi -i sine=d=2 -c:a pcm_s16le", to: path)
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", \(range) },
              "out": { "type": "nullSink" } }, "wires": ["in.audio -> out"] }
          """)
      }
      #expect("\(try #require(error))".contains(words))
    }
  }
}
