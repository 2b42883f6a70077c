import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// When the pictures of a file are presented after they were copied, transcoded or moved.
  @Suite struct PresentationTimeTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }
    private static let pictures = "-f lavfi -i testsrc2=s=160x90:r=25:d=2"

    /// Two seconds of pictures of which most are presented in another order than they are decoded.
    private func reordered(_ name: String, _ options: String = "") throws -> String {
      let path = scratch.path(name)
      try ffmpeg(
        Self.pictures, "-c:v libx264 -preset ultrafast -bf 3 -b_strategy 0 -pix_fmt yuv420p",
        options, to: path)
      return path
    }

    /// The same packets in another container.
    private func rewrapped(_ path: String, as name: String) throws -> String {
      try ffmpeg("-i", path, "-c copy", to: scratch.path(name))
      return scratch.path(name)
    }

    private func run(_ nodes: String, _ wires: String) async throws -> Report {
      try await pipeline(
        """
        { "nodes": { \(nodes),
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": [\(wires)] }
        """
      ).run()
    }

    private func copy(_ path: String) async throws {
      let nodes = "\"in\": { \"type\": \"file\", \"path\": \"\(path)\" }"
      #expect(try await run(nodes, #""in.video -> movie.video""#).unbalanced == [])
    }

    /// Expects the movie's pictures at these times, counted from the first of each.
    private func expectPictures(at expected: [Double]) throws {
      #expect(differs(try frameTimes(scratch.path("out.mp4")), from: expected) < 0.0011)
    }

    @Test("a copy presents each picture when its source does", arguments: ["mp4", "mkv", "mov"])
    func copies(container: String) async throws {
      let source = try rewrapped(reordered("a.mp4"), as: "b.\(container)")
      let expected = try frameTimes(source)
      #expect(expected.count == 50)
      try await copy(source)
      try expectPictures(at: expected)
    }

    @Test(
      "a copy keeps the gap in pictures of no fixed rate, in their midst and before the last",
      arguments: ["mp4", "mkv"], [(10, 20), (38, 48)])
    func gap(container: String, gap: (Int, Int)) async throws {
      let select = "select='not(between(n\\,\(gap.0)\\,\(gap.1)))'"
      let path = try reordered("gap.mp4", "-vf \(select) -vsync vfr")
      let source = try rewrapped(path, as: "b.\(container)")
      let expected = try frameTimes(source)
      #expect(expected.count == 39)
      try await copy(source)
      try expectPictures(at: expected)
    }

    @Test("pictures whose order gets deeper in the middle of a stream keep their times")
    func deepens() async throws {
      // One kind of picture for a second, then reordered ones.
      let path = scratch.path("a.mkv")
      try ffmpeg(
        Self.pictures, "-c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        "-bf 3 -b_strategy 0 -force_key_frames expr:lt(t,0.9)", to: path)
      let expected = try frameTimes(path)
      try await copy(path)
      try expectPictures(at: expected)
      #expect(try decodeTimes(scratch.path("out.mp4")).areIncreasing)
    }

    @Test("pictures beside sound in Matroska keep their times, though they begin after zero")
    func besideSound() async throws {
      let source = scratch.path("a.mkv")
      try ffmpeg(
        Self.pictures, "-f lavfi -i sine=r=44100:d=2 -c:v libx264 -preset ultrafast -bf 3",
        "-b_strategy 0 -pix_fmt yuv420p -c:a aac -output_ts_offset 0.023", to: source)
      let expected = try frameTimes(source)
      #expect(expected.first.map { $0 > 0 } == true)
      try await copy(source)
      try expectPictures(at: expected)
    }

    @Test("HEVC in Matroska keeps its times")
    func hevc() async throws {
      let path = scratch.path("a.mkv")
      try ffmpeg(
        Self.pictures, "-c:v libx265 -preset ultrafast -x265-params log-level=none:bframes=3",
        "-pix_fmt yuv420p", to: path)
      let expected = try frameTimes(path)
      try await copy(path)
      try expectPictures(at: expected)
    }

    @Test("a transcode of Matroska has all pictures at their times", arguments: [0, 3])
    func transcodes(early: Int) async throws {
      // A first time that isn't zero, as sound beside the pictures makes it.
      let source = try reordered("a.mkv", "-output_ts_offset 0.00\(early)")
      let expected = try frameTimes(source)
      let report = try await run(
        """
        "in": { "type": "file", "path": "\(source)" },
        "pictures": { "type": "decoder", "media": "video" },
        "light": { "type": "exposure" }, "video": { "type": "h264Encoder", "preset": "ultrafast" }
        """, #""in.video -> pictures -> light -> video -> movie.video""#)
      #expect(report.unbalanced == [])
      try expectPictures(at: expected)
    }

    @Test("pictures that are presented later are all there", arguments: [1.0, 3.0])
    func shiftedPictures(seconds: Double) async throws {
      let source = try reordered("a.mp4")
      let report = try await run(
        """
        "in": { "type": "file", "path": "\(source)" },
        "pictures": { "type": "decoder", "media": "video" },
        "later": { "type": "timeShift", "seconds": \(seconds) },
        "video": { "type": "h264Encoder", "preset": "ultrafast" }
        """, #""in.video -> pictures -> later -> video -> movie.video""#)
      #expect(report.unbalanced == [])
      try expectPictures(at: frameTimes(source))
    }

    @Test("a crossfade lasts until the end of its second file")
    func crossfade() async throws {
      let (first, second) = (try reordered("a.mp4"), scratch.path("b.mp4"))
      try ffmpeg("-f lavfi -i testsrc=s=160x90:r=25:d=3 -preset ultrafast", to: second)
      let report = try await run(
        """
        "a": { "type": "file", "path": "\(first)" }, "b": { "type": "file", "path": "\(second)" },
        "aPictures": { "type": "decoder", "media": "video" },
        "bPictures": { "type": "decoder", "media": "video" },
        "later": { "type": "timeShift", "seconds": 1 },
        "x": { "type": "crossfade", "at": 1, "duration": 1 },
        "video": { "type": "h264Encoder", "preset": "ultrafast" }
        """,
        """
        "a.video -> aPictures -> x.from", "b.video -> bPictures -> later -> x.to",
        "x -> video -> movie.video"
        """)
      #expect(report.unbalanced == [])
      let expected = (0..<100).map { Double($0) / 25 }
      try expectPictures(at: expected)
    }

    @Test("copied pictures can be presented later", arguments: [0.5, 3.0], ["mp4", "mkv"])
    func shiftedCopy(seconds: Double, container: String) async throws {
      let source = try reordered("a.\(container)")
      let report = try await run(
        """
        "in": { "type": "file", "path": "\(source)" },
        "later": { "type": "timeShift", "seconds": \(seconds) }
        """, #""in.video -> later -> movie.video""#)
      #expect(report.unbalanced == [])
      try expectPictures(at: frameTimes(source))
    }

    @Test("a copy of limited length has the packets that begin before its end, however it is read")
    func limitedCopy() async throws {
      let source = scratch.path("a.mp4")
      try ffmpeg(
        Self.pictures, "-f lavfi -i sine=r=48000:d=2 -c:v libx264 -preset ultrafast -bf 3",
        "-b_strategy 0 -pix_fmt yuv420p -c:a aac", to: source)
      // Sound and pictures come on threads of their own: whichever is faster.
      for _ in 0..<5 {
        let output = scratch.path("out.mp4")
        let run = try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(source)" },
              "movie": { "type": "mp4Sink", "path": "\(output)", "overwrite": true,
                         "seconds": 1 } },
            "wires": ["in.video -> movie.video", "in.audio -> movie.audio"] }
          """)
        #expect(try await run.run().unbalanced == [])
        // 25 pictures, and the 47 packets of sound of which the last begins at 981 ms.
        #expect(try frameTimes(output).count == 25)
        let sound = try times(output, "packet=pts_time", of: "a").filter { $0 > -0.001 }
        #expect(sound.count == 47)
      }
    }

    @Test("who shifts all of a file is told that it begins with its first sample")
    func lostShift() throws {
      func notices(_ wires: String, _ more: String = "") throws -> [Notice] {
        let document = try GraphDocument(
          json: """
            { "nodes": { "tone": { "type": "testAudio" }, \(more)
                "later": { "type": "timeShift", "seconds": 1.5 }, "mix": { "type": "mixAudio" },
                "wave": { "type": "wavSink", "path": "\(scratch.path("a.wav"))" } },
              "wires": [\(wires), "mix -> wave"] }
            """)
        return try Graph(checking: document, catalog: .builtIn, environment: LiveEnvironment())
          .notices
      }
      let lost = try notices(#""tone -> later -> mix.in""#)
      #expect(lost.map(\.node) == ["wave"])
      #expect(lost.first?.message.contains("1.5 s") == true)
      #expect(
        try notices(
          #""tone -> later -> mix.in", "silence -> mix.in.2""#,
          #""silence": { "type": "testAudio", "wave": "silence" },"#) == [])
    }

    @Test("pictures of a file that doesn't say when they are presented: what to do")
    func noTimes() async throws {
      let source = try rewrapped(reordered("a.mp4"), as: "a.avi")
      let error = await #expect(throws: RunError.self) { try await copy(source) }
      let failure = error?.report.failure
      #expect(failure?.message.contains("when they are presented") == true, "\(error as Any)")
      #expect(failure?.remedy.contains("decode") == true)
    }
  }
}

/// When each picture of a file is presented, as ffmpeg decodes it.
func frameTimes(_ path: String) throws -> [Double] { try times(path, "frame=pts_time") }
private func decodeTimes(_ path: String) throws -> [Double] { try times(path, "packet=dts_time") }

private func times(_ path: String, _ entries: String, of kind: String = "v") throws -> [Double] {
  let output = try tool(
    "ffprobe",
    ["-v", "error", "-select_streams", kind, "-show_entries", entries, "-of", "csv=p=0", path])
  return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isNewline)
    .compactMap { Double($0.split(separator: ",").first ?? "") }
}

/// By how much two rows of times differ at most, each counted from its first, where a movie
/// begins; infinite where they aren't of one length.
func differs(_ times: [Double], from expected: [Double]) -> Double {
  guard times.count == expected.count, let first = times.first, let other = expected.first else {
    return .infinity
  }
  return zip(times, expected).map { abs($0 - first - $1 + other) }.max() ?? 0
}

extension [Double] {
  fileprivate var areIncreasing: Bool { zip(self, dropFirst()).allSatisfy(<) }
}
