import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Movies whose edit list begins between two key frames, as a cut without encoding makes them.
  @Suite struct CutMovieTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Six seconds with a key frame every two, cut at a time.
    private func cut(
      at seconds: Double, bFrames: Int, rate: Int = 25, as name: String, _ options: String = ""
    ) throws -> String {
      let whole = scratch.path("whole.mp4")
      let group = "-g \(2 * rate) -keyint_min \(2 * rate)"
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=\(rate):d=6 -f lavfi -i sine=r=48000:d=6 -c:v libx264",
        "-preset ultrafast -bf \(bFrames) -b_strategy 0 \(group) -sc_threshold 0",
        "-pix_fmt yuv420p -c:a aac", to: whole)
      try ffmpeg("-ss \(seconds) -i \(whole) -c copy \(options)", to: scratch.path(name))
      return scratch.path(name)
    }

    private func run(_ path: String, _ nodes: String, _ wires: String, _ options: String = "")
      async throws -> String
    {
      let output = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, \(nodes)
            "movie": { "type": "mp4Sink", "path": "\(output)"\(options) } },
          "wires": [\(wires)] }
        """)
      #expect(try await run.run().unbalanced == [])
      return output
    }

    private static let both = #""in.video -> movie.video", "in.audio -> movie.audio""#

    @Test(
      "a copy shows the same pictures at the same times",
      arguments: [(1.3, 0, 25), (1.3, 2, 25), (1.96, 3, 25), (3.5, 3, 25), (2.5, 2, 30)])
    func copies(seconds: Double, bFrames: Int, rate: Int) async throws {
      for name in ["cut.mp4", "cut.mov"] {
        let path = try cut(at: seconds, bFrames: bFrames, rate: rate, as: name)
        let copy = try await run(path, "", Self.both)
        let (expected, shown) = (try samples(path), try samples(copy))
        for stream in ["0,", "1,"] {
          let wanted = expected.filter { $0.hasPrefix(stream) }
          #expect(wanted.count > 50)
          #expect(shown.filter { $0.hasPrefix(stream) } == wanted, "\(name) \(stream)")
        }
        #expect(try probe(copy).map(\.start) == probe(path).map(\.start))
        #expect(try decodeComplaints(copy) == "")
        try FileManager.default.removeItem(atPath: copy)
      }
    }

    /// Each fragment has the demuxer say anew how long all is, also where a part of it has ended.
    @Test("the first seconds of a movie in fragments are copied")
    func beginsFragments() async throws {
      let path = scratch.path("fragments.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=6 -f lavfi -i sine=r=48000:d=6 -pix_fmt yuv420p",
        "-c:v libx264 -g 25 -bf 2 -c:a aac -movflags frag_keyframe+empty_moov", to: path)
      for number in 1...5 {
        let output = scratch.path("\(number).mp4")
        let run = try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", "to": 4.3 },
              "movie": { "type": "mp4Sink", "path": "\(output)" } },
            "wires": [\(Self.both)] }
          """)
        #expect(try await run.run().unbalanced == [])
        #expect(try probe(output).map(\.frames) == [108, 199])
      }
    }

    @Test("a copy leaves out what isn't needed: all before the last key frame before the cut")
    func needless() async throws {
      // The second cut leaves the packets where they are, and moves the list alone.
      let path = try cut(at: 0.5, bFrames: 2, as: "cut.mp4")
      try moveStart(of: path, to: 2.7)
      let copy = try await run(path, "", #""in.video -> movie.video""#)
      #expect(try samples(copy, "v") == samples(path, "v"))
      #expect(try probe(copy).map(\.frames) == [100])
    }

    /// Has the video's edit list begin later.
    private func moveStart(of path: String, to seconds: Double) throws {
      try write(Int(seconds * 12_800), at: 12, ofBox: "elst", in: path)
    }

    /// Writes a number into the first box of a name, so many bytes after that.
    private func write(_ number: Int, at offset: Int, ofBox name: String, in path: String) throws {
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let start = try #require(bytes.firstRange(of: Array(name.utf8))?.upperBound) + offset
      for index in 0..<4 { bytes[start + index] = UInt8(number >> (8 * (3 - index)) & 0xff) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test(
      "a copy shows the same frames where the list ends before the file does",
      arguments: [(0, 1.5), (2, 1.5), (3, 1.48), (3, 2.04)], ["", "-movflags negative_cts_offsets"])
    func endsEarly(_ movie: (bFrames: Int, seconds: Double), options: String) async throws {
      let path = try cut(at: 1.3, bFrames: movie.bFrames, as: "cut.mp4", options)
      try write(Int(movie.seconds * 1_000), at: 8, ofBox: "elst", in: path)
      let copy = try await run(path, "", Self.both)
      let wanted = try samples(path, "v")
      // The first begins at 1.32.
      #expect(wanted.count == Int((movie.seconds * 25 - 0.5).rounded(.up)))
      #expect(try samples(copy, "v") == wanted)
      #expect(try decodeComplaints(copy) == "")
      // The rest of the file isn't read.
      #expect(try #require(probe(copy).first).frames < 90)
    }

    @Test("frames that are presented before they are decoded are copied with the others")
    func negativeOffsets() async throws {
      let path = try cut(at: 1.3, bFrames: 3, as: "cut.mp4", "-movflags negative_cts_offsets")
      let copy = try await run(path, "", Self.both)
      #expect(try samples(copy, "v") == samples(path, "v"))
      #expect(try samples(path, "v").count == 117)
      #expect(try probe(copy).map(\.frames) == probe(path).map(\.frames))
    }

    @Test("frames that begin late, without an edit list, stay so much later than the audio")
    func late() async throws {
      let path = scratch.path("late.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -c:v libx264",
        "-preset ultrafast -bf 2 -b_strategy 0 -pix_fmt yuv420p -c:a libmp3lame -use_editlist 0",
        to: path)
      #expect(try probe(path).map(\.start) == [0.08, 0])
      let copy = try await run(path, "", Self.both)
      #expect(try probe(copy).map(\.start) == [0.08, 0])
      #expect(try samples(copy, "v") == samples(path, "v"))
    }

    @Test("the last frame of a stream whose rate is that of its clock is as long as the others")
    func ticks() async throws {
      let path = scratch.path("ticks.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=1 -c:v libx264 -preset ultrafast -bf 2",
        "-b_strategy 0 -pix_fmt yuv420p -bsf:v h264_metadata=tick_rate=180000", to: path)
      let copy = try await run(path, "", #""in.video -> movie.video""#)
      #expect(try samples(copy, "v").count == 25)
      #expect(try probe(copy).map(\.end) == probe(path).map(\.end))
    }

    @Test(
      "a part of a stream keeps the distance between its tracks",
      arguments: ["+empty_moov+default_base_moof", "+delay_moov+default_base_moof"])
    func segment(flags: String) async throws {
      let path = scratch.path("whole.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=3 -f lavfi -i sine=r=48000:d=3 -c:v libx264",
        "-preset ultrafast -bf 2 -b_strategy 0 -g 25 -pix_fmt yuv420p -c:a aac",
        "-movflags +frag_keyframe\(flags)", to: path)
      // The head, and what follows the first fragment.
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let fragments = bytes.ranges(of: Array("moof".utf8)).map { $0.lowerBound - 4 }
      let part = try scratch.write(
        Array(bytes[..<fragments[0]] + bytes[fragments[1]...]), to: "part.mp4")
      let copy = try await run(part, "", Self.both)
      let (expected, found) = (try probe(part).map(\.start), try probe(copy).map(\.start))
      #expect(abs(found[0] - found[1] - expected[0] + expected[1]) < 0.001)
      #expect(try samples(copy, "v").count == 50)
    }

    @Test(
      "a track that is far shorter than the other is read, too",
      arguments: [(1, 12), (12, 1), (12, 12)],
      [0, 70])
    func shortTrack(_ seconds: (video: Int, audio: Int), delay: Int) async throws {
      let path = scratch.path("a.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=\(seconds.video) -f lavfi",
        "-i sine=r=48000:d=\(seconds.audio) -c:v libx264 -preset ultrafast -bf 2 -b_strategy 0",
        "-pix_fmt yuv420p -c:a aac -output_ts_offset \(delay)", to: path)
      let copy = try await run(path, "", Self.both)
      #expect(try probe(copy).map(\.frames) == probe(path).map(\.frames))
      for kind in ["v", "a"] { #expect(try samples(copy, kind) == samples(path, kind)) }
    }

    @Test("a copy keeps all frames where none before the cut is a key frame")
    func noKeyFrame() async throws {
      let path = try cut(at: 0.5, bFrames: 2, as: "cut.mp4")
      // The first of three key frames is called one no more.
      try write(2, at: 4, ofBox: "stss", in: path)
      try write(51, at: 8, ofBox: "stss", in: path)
      try write(101, at: 12, ofBox: "stss", in: path)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": ["in.video -> movie.video"] }
        """
      ).run()
      #expect(report.warnings == nil)
      #expect(try probe(scratch.path("out.mp4")).map(\.frames) == [150])
    }

    @Test("decoding begins at the same picture", arguments: [1.32, 1.96])
    func decodes(seconds: Double) async throws {
      let path = try cut(at: seconds, bFrames: 3, as: "cut.mp4")
      let output = try await run(
        path,
        """
        "pictures": { "type": "decoder", "media": "video" },
        "video": { "type": "h264Encoder", "preset": "ultrafast" },
        """, #""in.video -> pictures -> video -> movie.video""#)
      let expected = Int(((6 - seconds) * 25).rounded(.down))
      #expect(try probe(output).map(\.frames) == [expected])
      #expect(try samples(path, "v").count == expected)
    }

    @Test("a copy of limited length counts from the first picture that is shown")
    func limited() async throws {
      let path = try cut(at: 1.3, bFrames: 2, as: "cut.mp4")
      let copy = try await run(path, "", Self.both, #", "seconds": 2"#)
      let (expected, shown) = (try samples(path, "v"), try samples(copy, "v"))
      // The last are cut in the order of decoding.
      #expect(shown.count == 50 && expected.prefix(48) == shown.prefix(48))
    }
  }
}

/// What a full decode of the streams of a kind, or of a movie's video and audio, gives: each sample's
/// stream, time, length and checksum.
private func samples(_ path: String, _ kind: String? = nil) throws -> [Substring] {
  let streams = (kind.map { [$0] } ?? ["v", "a"]).flatMap { ["-map", "0:\($0)"] }
  let output = try tool("ffmpeg", ["-v", "error", "-i", path] + streams + ["-f", "framemd5", "-"])
  return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    .filter { !$0.hasPrefix("#") }
}
