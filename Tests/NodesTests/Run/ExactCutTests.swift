import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Ranges of movies that are copied but for the frames at their ends, compared with what ffmpeg reads
  /// of the whole.
  @Suite struct ExactCutTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Kinds of H.264, each with a range and how many frames of it are copied.
    private static let kinds: [(options: String, from: Double, to: Double?, copied: Int)] = [
      // Both ends between key frames, the second where frames are presented out of order.
      ("-bf 2 -b_strategy 0", 1.3, 4.3, 57), ("-bf 0", 1.3, 4.3, 58),
      ("-bf 3 -b_strategy 0 -x264-params b-pyramid=normal", 0.5, 5.06, 75),
      // At key frames, nothing is encoded; within a group, all is.
      ("-bf 2 -b_strategy 0", 2, 4, 50), ("-bf 2 -b_strategy 0", 2.1, 2.9, 0),
      // No further key frame, and no end.
      ("-bf 2 -b_strategy 0", 4.5, nil, 0), ("-bf 2 -b_strategy 0", 1.94, nil, 100),
      ("-bf 2 -b_strategy 0", 0, 3.1, 78),
      ("-profile:v baseline", 1.3, 4.3, 58), ("-profile:v main -r 30000/1001", 1.3, 4.3, 69),
      ("-bf 2 -b_strategy 0 -movflags negative_cts_offsets", 1.3, 4.3, 57),
      ("-bf 2 -b_strategy 0 -use_editlist 0", 1.3, 4.3, 54),
      // Key frames that frames from before them follow begin nothing.
      ("-bf 2 -b_strategy 0 -x264-params open-gop=1", 1.3, 4.3, 0),
      // Encoders hold a number of frames, which is long where there is one a second.
      ("-bf 0 -g 2 -keyint_min 1 -r 1", 1.3, 4.3, 3),
    ]

    /// The same of HEVC, in which a key frame that such frames follow is as good as another.
    private static let hevcKinds: [(options: String, from: Double, to: Double?, copied: Int)] = [
      ("bframes=2:open-gop=0", 1.3, 4.3, 57), ("bframes=0:open-gop=0", 1.3, 4.3, 58),
      // With open groups, one byte of the first frame that is copied is another.
      ("bframes=2", 1.3, 4.3, 56), ("bframes=4:b-pyramid=1", 1.3, 4.3, 55),
      ("bframes=2", 2, 4, 48), ("bframes=2", 2.1, 2.9, 0), ("bframes=2", 4.5, nil, 0),
      ("bframes=2", 1.94, nil, 99), ("bframes=2", 0, 3.1, 77),
      ("bframes=8:radl=2", 1.3, 4.3, 50), ("bframes=2 -tag:v hvc1", 1.3, 4.3, 56),
      ("bframes=2:repeat-headers=1", 1.3, 4.3, 55), ("bframes=2:temporal-layers=1", 1.3, 4.3, 56),
      ("bframes=2 -r 30000/1001", 1.3, 4.3, 66),
      ("bframes=0:keyint=2:min-keyint=1 -r 1", 1.3, 4.3, 2),
    ]

    @Test(
      "a copy has the frames of the range alone, and copies those that it can",
      arguments: kinds + hevcKinds)
    func cuts(_ cut: (options: String, from: Double, to: Double?, copied: Int)) async throws {
      let (path, output) = (try movie(cut.options), scratch.path("out.mp4"))
      let end = cut.to.map { ", \"to\": \($0)" } ?? ""
      try await copy(path, "\"from\": \(cut.from)\(end)", to: output)
      let wanted = try shown(path).compactMap { frame -> (time: Double, picture: String)? in
        guard frame.end > cut.from + 1e-6, frame.start < (cut.to ?? 99) - 1e-6 else { return nil }
        return (max(0, frame.start - cut.from), frame.picture)
      }
      let found = try shown(output)
      #expect(found.count == wanted.count)
      #expect(zip(found, wanted).allSatisfy { abs($0.start - $1.time) < 1e-4 })
      // A player that passes over edit lists shows the same.
      #expect(try shown(output, "-ignore_editlist", "1").map(\.picture) == found.map(\.picture))
      let packets = Set(try packets(path))
      let copied = try self.packets(output).count(where: packets.contains)
      #expect(copied == cut.copied)
      #expect(zip(found, wanted).count { $0.picture == $1.picture } >= cut.copied)
      #expect(try decodeComplaints(output) == "")
      // Each is decoded at a time of its own.
      #expect(try decodeTimes(output).count == wanted.count)
      #expect(
        try readByGStreamer(output, cut.options.hasPrefix("bframes") ? "h265" : "h264")
          == wanted.count)
    }

    @Test(
      "frames that are encoded anew look as they did, in the colours that they had",
      arguments: ["-bf 2 -b_strategy 0", "bframes=2"])
    func resembles(_ options: String) async throws {
      let (path, output) = (try movie(options), scratch.path("out.mp4"))
      try await copy(path, #""from": 1.32, "to": 2.92"#, to: output)
      // The first frames of the copy are encoded, and so are the last.
      let filter =
        "[0:v]trim=1.319:2.919,settb=1/25,setpts=N[a];[1:v]settb=1/25,setpts=N[b];[a][b]psnr"
      let words = ["-v", "info", "-i", path, "-i", output, "-lavfi", filter, "-f", "null", "-"]
      let text = try tool("sh", ["-c", "ffmpeg -nostdin \"$@\" 2>&1", "sh"] + words)
      let least = String(decoding: text, as: UTF8.self).split(separator: "min:").last
        .flatMap { Double($0.prefix { !$0.isWhitespace }) }
      #expect(try #require(least) > 35)
      let colors = ["-v", "error", "-show_entries", "frame=color_space", "-of", "csv", output]
      let said = String(decoding: try tool("ffprobe", colors), as: UTF8.self)
      #expect(said.contains("unknown") && !said.contains("170m") && !said.contains("709"))
    }

    @Test("audio stays with it, and what the file says of itself")
    func keeps() async throws {
      let (whole, path) = (try movie("-bf 2 -b_strategy 0"), scratch.path("named.mp4"))
      try ffmpeg(
        "-i \(whole) -f lavfi -i sine=r=48000:d=6 -map 0:v -map 1:a -c:v copy -c:a aac",
        "-metadata title=Talk -metadata:s:v rotate=90", to: path)
      let output = scratch.path("out.mp4")
      try await copy(path, #""from": 1.3, "to": 4.3"#, to: output, ["video", "audio"])
      #expect(try probe(output).map(\.start) == [0, 0])
      #expect(try probe(output).map(\.end) == [3, 3])
      let entries = ["-show_entries", "format_tags=title:stream_side_data=rotation", "-of", "csv"]
      let said = String(
        decoding: try tool("ffprobe", ["-v", "error"] + entries + [output]), as: UTF8.self)
      #expect(said.contains("Talk") && said.contains("90"))
    }

    @Test(
      "what can't be encoded like it is refused",
      arguments: [
        ("a.mp4 -c:v mpeg4", "its video is neither H.264 nor HEVC"),
        (
          "a.mp4 -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le",
          "isn't of 8 bits, 4:2:0 and whole frames"
        ),
        ("a.mkv -c:v libx264", "it has no index"),
        ("a.mp4 -c:v libx264 -movflags frag_keyframe+empty_moov", "it has no index"),
        ("a.mp4 -c:v libx264 -pix_fmt yuv444p", "isn't of 8 bits, 4:2:0 and whole frames"),
        ("a.mp4 -c:v libx264 -flags +ilme+ildct", "isn't of 8 bits, 4:2:0 and whole frames"),
        (
          "a.mp4 -c:v libx265 -x265-params log-level=none:keyint=10:opt-qp-pps=1:repeat-headers=1",
          "there are other parameter sets in its packets"
        ),
      ])
    func refuses(_ file: String, problem: String) throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      let format = file.contains("pix_fmt") ? "" : " -pix_fmt yuv420p"
      try ffmpeg("-f lavfi -i testsrc2=s=160x120:r=25:d=2", words[1] + format, to: path)
      let error = #expect(throws: GraphErrors.self) {
        try pipeline(graph(path, #""from": 1"#, to: scratch.path("out.mp4"), ["video"]))
      }
      let said = error.map { "\($0)" } ?? ""
      #expect(said.contains("can't be cut exactly: ") && said.contains(problem), "\(said)")
    }

    @Test("movies that were joined of several settings are refused", arguments: ["264", "265"])
    func refusesJoined(_ codec: String) async throws {
      let words = "-pix_fmt yuv420p -c:v libx\(codec)"
      let (one, other) = (scratch.path("1.ts"), scratch.path("2.ts"))
      let source = "-f lavfi -i testsrc2=s=160x120:r=25:d=2"
      try ffmpeg(source, words + " -preset ultrafast", to: one)
      try ffmpeg(source, words + " -preset slow", to: other)
      let path = scratch.path("joined.mp4")
      try ffmpeg(
        "-i concat:\(one)|\(other)", "-c copy -tag:v \(codec == "264" ? "avc1" : "hvc1")", to: path)
      let error = #expect(throws: GraphErrors.self) {
        try pipeline(graph(path, #""from": 1"#, to: scratch.path("out.mp4"), ["video"]))
      }
      let said = error.map { "\($0)" } ?? ""
      #expect(said.contains("of several settings"), "\(said)")
      // A range before the change is cut.
      _ = try pipeline(
        graph(path, #""from": 0.5, "to": 1.5"#, to: scratch.path("a.mp4"), ["video"]))
      // So is one of which nothing is copied.
      let part = scratch.path("b.mp4")
      try await copy(path, #""from": 2.6, "to": 3.0"#, to: part)
      #expect(try shown(part).count == 10)
      #expect(try decodeComplaints(part) == "")
    }

    @Test("decoded ranges are exact without it, and with it")
    func decodes() async throws {
      let path = try movie("-bf 2 -b_strategy 0")
      let output = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 1.3, "exact": true },
            "d": { "type": "decoder", "media": "video" },
            "e": { "type": "h264Encoder", "preset": "ultrafast" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.video -> d -> e -> movie.video"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try probe(output).map(\.frames) == [118])
    }

    @Test("times beyond all bounds end in words, or in a file", arguments: [true, false])
    func bounds(isExact: Bool) throws {
      let path = try movie("-bf 2 -b_strategy 0")
      var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      // A second a unit, and frames of 136 years.
      for (box, offset, value) in [
        ("mdhd", 12, [0, 0, 0, 1]), ("stts", 12, [255, 255, 255, 255]),
      ] {
        let start = try #require(bytes.firstRange(of: Array(box.utf8))?.upperBound) + offset
        bytes.replaceSubrange(start..<start + 4, with: value.map { UInt8($0) })
      }
      let far = try scratch.write(bytes, to: "far.mp4")
      let range = isExact ? #", "from": 1, "exact": true"# : ""
      let text = """
        { "nodes": { "in": { "type": "file", "path": "\(far)"\(range) },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": ["in.video -> movie.video"] }
        """
      // It is the process that must not end.
      do { _ = try pipeline(text) } catch { #expect("\(error)" != "") }
    }

    /// Six seconds with a key frame every two.
    private func movie(_ options: String) throws -> String {
      let path = scratch.path("whole.mp4")
      let group = options.contains("30000") ? 60 : 50
      let isHEVC = options.hasPrefix("bframes")
      let encoder =
        isHEVC
        ? "-c:v libx265 -x265-params log-level=none:b-adapt=0:scenecut=0:keyint=\(group):"
          + "min-keyint=\(group):"
        : "-c:v libx264 -g \(group) -keyint_min \(group) -sc_threshold 0 "
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=6 -preset veryfast -pix_fmt yuv420p",
        encoder + options, to: path)
      return path
    }

    private func graph(_ path: String, _ range: String, to output: String, _ ports: [String])
      -> String
    {
      let wires = ports.map { "\"in.\($0) -> movie.\($0)\"" }.joined(separator: ", ")
      return """
        { "nodes": { "in": { "type": "file", "path": "\(path)", \(range), "exact": true },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": [\(wires)] }
        """
    }

    private func copy(
      _ path: String, _ range: String, to output: String, _ ports: [String] = ["video"]
    ) async throws {
      let report = try await pipeline(graph(path, range, to: output, ports)).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
    }

    private struct Shown {
      var start, end: Double
      var picture: String
    }

    /// The frames that ffmpeg decodes, with the times that ffprobe says.
    private func shown(_ path: String, _ options: String...) throws -> [Shown] {
      let pictures = try lines(
        "ffmpeg",
        options + ["-i", path, "-map", "0:v", "-vsync", "passthrough", "-f", "framemd5", "-"])
      let entries = "frame=best_effort_timestamp_time,pkt_duration_time"
      let times = try lines(
        "ffprobe",
        options + [
          "-select_streams", "v", "-show_entries", entries, "-of", "csv=p=0:nk=1", path,
        ])
      try #require(pictures.count == times.count)
      return zip(pictures, times).map { picture, time in
        let numbers = time.split(separator: ",").compactMap { Double($0) }
        return Shown(
          start: numbers[0], end: numbers[0] + numbers[1],
          picture: String(picture.split(separator: " ").last ?? ""))
      }
    }

    /// Checksums of the packets of video.
    private func packets(_ path: String) throws -> [String] {
      try lines(
        "ffprobe",
        [
          "-select_streams", "v", "-show_packets", "-show_data_hash", "md5", "-show_entries",
          "packet=data_hash", "-of", "csv=p=0", path,
        ]
      ).map { String($0.prefix { $0 != "," }) }
    }

    private func decodeTimes(_ path: String) throws -> Set<Substring> {
      let words = ["-select_streams", "v", "-show_entries", "packet=dts", "-of", "csv=p=0", path]
      return Set(try lines("ffprobe", words))
    }

    private func lines(_ name: String, _ words: [String]) throws -> [Substring] {
      String(decoding: try tool(name, ["-v", "error"] + words, inSilence: true), as: UTF8.self)
        .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    }

    /// How many frames GStreamer's own elements decode.
    private func readByGStreamer(_ path: String, _ codec: String) throws -> Int {
      let line =
        "filesrc location=\(path) ! qtdemux ! \(codec)parse ! avdec_\(codec) ! video/x-raw ! "
        + "fakesink silent=false sync=false"
      let text = try tool("gst-launch-1.0", ["-v"] + line.split(separator: " ").map(String.init))
      return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        .count { $0.contains("last-message = chain") }
    }
  }
}
