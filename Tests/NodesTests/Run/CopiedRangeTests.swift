import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Parts of files that are copied into movies without decoding, as ffmpeg decodes those.
  @Suite struct CopiedRangeTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func copy(
      _ path: String, _ range: String, _ ports: [String], as name: String = "copy.mov"
    ) async throws -> String {
      let output = scratch.path(name)
      let wires = ports.map { "\"in.\($0) -> movie.\($0)\"" }.joined(separator: ", ")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)", \(range) },
            "movie": { "type": "mp4Sink", "path": "\(output)", "overwrite": true } },
          "wires": [\(wires)] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [])
      #expect(report.warnings ?? [] == [])
      #expect(try decodeComplaints(output) == "")
      return output
    }

    private static let frameSize = 64 * 48 * 3 / 2

    private func frames(_ path: String) throws -> [Data] {
      let data = try tool(
        "ffmpeg",
        ["-v", "error", "-i", path, "-map", "0:v", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
      return stride(from: 0, to: data.count, by: Self.frameSize).map {
        data[$0..<($0 + Self.frameSize)]
      }
    }

    @Test(
      "a copy shows the frames of the part alone",
      arguments: [
        "v.mp4 -c:v libx264 -bf 3 -g 60",
        "hevc.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=40",
        "v.mkv -c:v libx264 -bf 2 -g 100", "v.ts -c:v libx264 -bf 2 -g 50",
      ])
    func copiesVideo(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=10 -pix_fmt yuv420p", words[1], to: path)
      let whole = try frames(path)
      #expect(whole.count == 250)
      for (range, part) in [
        (#""from": 1.52, "to": 3.28"#, 38..<82), (#""from": 8"#, 200..<250),
        (#""from": 5.04, "to": 5.08"#, 126..<127),
      ] {
        let copy = try await copy(path, range, ["video"])
        let got = try frames(copy)
        #expect(got.count == part.count, "\(range)")
        #expect(got == Array(whole[part]), "\(range)")
        let stream = try #require(probe(copy).first)
        #expect(stream.start == 0, "\(range)")
        #expect(abs(stream.end - Double(part.count) / 25) < 0.001, "\(range)")
      }
    }

    @Test("a part that begins while a frame is shown shows that first, and no longer than the part")
    func beginsInAFrame() async throws {
      let path = scratch.path("v.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -pix_fmt yuv420p -c:v libx264 -bf 2 -g 50",
        to: path)
      let copy = try await copy(path, #""from": 2.53, "to": 3.11"#, ["video"])
      // ffmpeg begins with the first frame that begins in the part.
      #expect(try frames(copy) == Array(frames(path)[64..<78]))
      #expect(abs(try #require(probe(copy).first).end - 0.58) < 0.001)
    }

    @Test(
      "a copy has the samples of the part alone",
      arguments: [
        ("a.m4a -c:a aac -aac_pns 0", "mp4", 2), ("alac.m4a -c:a alac", "mp4", 0),
        ("a.flac -sample_fmt s16", "mp4", 0), ("a.aac -c:a aac -aac_pns 0", "mp4", 2),
        ("a.mp3 -c:a libmp3lame", "mp4", 200),
      ])
    func copiesSound(_ file: String, _ kind: String, _ tolerance: Int) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg(
        "-f lavfi -i aevalsrc=0.4*sin(880*t*t)+0.1*random(1):s=48000:d=8", words[1], to: path)
      let whole = try decodedSound(of: path)
      for (range, first, last) in [
        (#""from": 1.5, "to": 2.25"#, 1.5, 2.25),
        (#""from": 5.12345, "duration": 0.5"#, 5.12345, 5.62345),
        (#""to": 0.7"#, 0, 0.7),
      ] {
        let part = Int((first * 48_000).rounded())..<Int((last * 48_000).rounded())
        let copy = try await copy(path, range, ["audio"], as: "copy.\(kind)")
        let got = try decodedSound(of: copy)
        // The list ends within the last packet, which ffmpeg plays to its end.
        #expect(abs(try #require(probe(copy).first).end - last + first) < 0.001, "\(range)")
        #expect((part.count..<part.count + 8_192).contains(got.count), "\(range)")
        let difference = zip(got, whole[part]).map { abs(Int($0) - Int($1)) }
        #expect(difference.max() ?? .max <= tolerance, "\(range)")
      }
    }

    @Test("audio and video of a copy begin and end together")
    func copiesBoth() async throws {
      let path = scratch.path("both.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=8",
        "-f lavfi -i aevalsrc=0.4*sin(880*t*t)+0.1*random(1):s=48000:d=8 -c:v libx264",
        "-bf 2 -g 100 -pix_fmt yuv420p -c:a aac -aac_pns 0", to: path)
      let copy = try await copy(path, #""from": 5.2, "to": 7"#, ["video", "audio"], as: "copy.mp4")
      let streams = try probe(copy)
      #expect(streams.map(\.start) == [0, 0])
      #expect(streams.allSatisfy { abs($0.end - 1.8) < 0.001 }, "\(streams)")
      #expect(try frames(copy) == Array(frames(path)[130..<175]))
      let (got, whole) = (try decodedSound(of: copy), try decodedSound(of: path))
      #expect((86_400..<87_424).contains(got.count))
      #expect(zip(got, whole[249_600..<336_000]).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    @Test(
      "what a copy can't be made of is refused in words",
      arguments: [
        (#""seconds": 2"#, #""in.audio -> out""#, "can't be copied there"),
        (#""playlist": true"#, #""in.audio -> out""#, "can't be copied there"),
        (
          #""overwrite": true"#, #""in.audio -> out.audio", "tone -> aac -> out.audio.2""#,
          "and `aac.out` goes there, too"
        ),
        (
          #""overwrite": true"#, #""in.audio -> out", "in.audio -> d -> drop""#,
          "it goes to `d`, too"
        ),
      ])
    func refuses(_ settings: String, _ wires: String, _ words: String) throws {
      let path = scratch.path("a.m4a")
      try ffmpeg("-f lavfi -i sine=d=2 -c:a aac", to: path)
      let isMixed = wires.contains("tone")
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 1 },
              \(isMixed ? #""tone": { "type": "testAudio" }, "aac": { "type": "aacEncoder" },"# : "")
              \(wires.contains("drop")
                ? #""d": { "type": "decoder", "media": "audio" }, "drop": { "type": "nullSink" },"# : "")
              "out": { "type": "mp4Sink", "path": "\(scratch.path("b.m4a"))", \(settings) } },
            "wires": [\(wires)] }
          """)
      }
      #expect("\(try #require(error))".contains(words))
    }

    @Test("subtitles of a part aren't copied, and a copy names them") func refusesTexts() throws {
      let (path, text) = (scratch.path("a.mp4"), scratch.path("a.srt"))
      try Data("1\n00:00:00,500 --> 00:00:01,500\nHello\n".utf8).write(to: URL(filePath: text))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=2 -i \(text)",
        "-map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a aac -c:s mov_text", to: path)
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", "from": 1 },
              "out": { "type": "mp4Sink", "path": "\(scratch.path("b.mp4"))" } },
            "wires": ["in.video -> out.video", "in.audio -> out.audio", "in.text -> out.text"] }
          """)
      }
      let found = try #require(error).diagnostics.map(\.description)
      #expect(found.count == 1 && found[0].contains("and `in.text` goes there, too"), "\(found)")
    }
  }
}
