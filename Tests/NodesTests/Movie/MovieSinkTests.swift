import Foundation
import GraphKit
import TestTools
import Testing

/// Movies that a run has written.
@Suite(.serialized, .inTurn) struct MovieSinkTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Two seconds of a test pattern and a tone in a movie with some parameters.
  private func record(_ name: String, _ parameters: String = "") async throws -> String {
    let path = scratch.path(name)
    let run = try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 320, "height": 240, "frames": 60 },
          "video": { "type": "h264Encoder", "bFrames": 2 },
          "tone": { "type": "testAudio", "seconds": 2 }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)"\(parameters) } },
        "wires": ["pictures -> video -> movie.video", "tone -> audio -> movie.audio"] }
      """)
    #expect(try await run.run().unbalanced == [])
    return path
  }

  @Test(arguments: ["a.mp4", "a.mov", "a.m4v"], [true, false])
  func movieIsWholeAndAligned(_ name: String, _ crashSafe: Bool) async throws {
    let path = try await record(name, ", \"crashSafe\": \(crashSafe)")
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.tracks.map(\.codec).sorted() == ["avc1", "mp4a"])
    #expect(checker.tracks.first { $0.codec == "avc1" }?.sampleCount == 60)
    #expect(!checker.outermost.contains("moof"))
    let summary = try MovieReader.read(path)
    #expect(!summary.isFragmented && !summary.isOptimizedForNetworkUse)
    for track in summary.tracks {
      #expect(abs(track.start) < 0.001, "\(track.codec)")
      #expect(abs(track.duration - 2) < 0.025, "\(track.codec): \(track.duration)")
    }
    let kind = try probe(path, "format_tags=major_brand")
    #expect(
      kind.contains(name.hasSuffix("mov") ? "=qt  " : name.hasSuffix("m4v") ? "=M4V " : "=isom"),
      "\(kind)")
  }

  @Test func indexInFrontKeepsEverySample() async throws {
    let before = try BoxChecker(try await record("plain.mp4"))
    let path = try await record("network.mp4", #", "optimizeForNetworkUse": true"#)
    let after = try BoxChecker(path)
    #expect(after.faults == [])
    #expect(after.outermost.firstIndex(of: "moov")! < after.outermost.firstIndex(of: "mdat")!)
    #expect(after.tracks.map(\.sampleCount) == before.tracks.map(\.sampleCount))
    #expect(try MovieReader.read(path).isOptimizedForNetworkUse)
    #expect(!FileManager.default.fileExists(atPath: path + ".faststart"))
    #expect(try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]).isEmpty)
  }

  @Test(arguments: [("rotate90", "-90"), ("rotate180", "-180"), ("rotate270", "90")])
  func videoIsRotated(_ rotation: String, _ degrees: String) async throws {
    let path = try await record("a.mp4", ", \"transform\": \"\(rotation)\"")
    #expect(try BoxChecker(path).faults == [])
    let found = try probe(path, "stream_side_data=rotation")
    #expect(found.contains("rotation=\(degrees)"), "\(found)")
  }

  @Test(arguments: ["a.mp4", "a.mov"])
  func titleAndCreationTimeAreWritten(_ name: String) async throws {
    let title = "Grüße \\\"an\\\" alle; \\\\ = 1, 2"
    let path = try await record(
      name, ", \"title\": \"\(title)\", \"creationTime\": \"2020-02-29T03:04:05Z\"")
    #expect(try BoxChecker(path).faults == [])
    let found = try probe(path, "format_tags=title,creation_time")
    #expect(found.contains(#"title=Grüße "an" alle; \ = 1, 2"#), "\(found)")
    #expect(found.contains("creation_time=2020-02-29T03:04:05.000000Z"), "\(found)")
  }

  /// What a source's tags say goes into the copy.
  @Test func tagsAndLanguagesAreCopied() async throws {
    let source = scratch.path("source.mp4")
    try ffmpeg(
      "-f lavfi -i sine=d=1 -c:a aac -metadata title=Morning -metadata artist=Somebody",
      "-metadata:s:a:0 language=deu", to: source)
    let path = scratch.path("copy.mp4")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.audio -> movie.audio"] }
      """)
    _ = try await run.run()
    let found = try probe(path, "format_tags=title,artist:stream_tags=language")
    for text in ["title=Morning", "artist=Somebody", "language=deu"] {
      #expect(found.contains(text), "\(found)")
    }
  }

  /// Codecs that nothing here encodes are copied.
  @Test(arguments: [
    ("flac", "a.flac", "audio", ["a.mp4"]), ("flac -sample_fmt s32", "b.flac", "audio", ["a.mp4"]),
    ("flac -strict -2", "c.mp4", "audio", ["a.mp4"]),
    ("aac -write_mpeg2 1", "a.aac", "audio", ["a.m4a"]),
    ("mjpeg -pix_fmt yuvj420p", "a.mkv", "video", ["a.mp4", "a.mov"]),
  ])
  func othersPacketsAreCopied(
    _ codec: String, _ source: String, _ kind: String, _ names: [String]
  ) async throws {
    let input = scratch.path(source)
    let signal = kind == "audio" ? "sine=d=1:r=44100 -c:a" : "testsrc2=s=64x48:r=10:d=1 -c:v"
    try ffmpeg("-f lavfi -i \(signal) \(codec)", to: input)
    for name in names {
      let path = scratch.path(name)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
            "movie": { "type": "mp4Sink", "path": "\(path)", "overwrite": true } },
          "wires": ["in.\(kind) -> movie.\(kind)"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
      #expect(try BoxChecker(path).faults == [])
      let frames = { (path: String) in
        String(
          decoding: try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "md5", "-"]),
          as: UTF8.self)
      }
      #expect(try frames(path) == frames(input), "\(name)")
    }
  }

  private func probe(_ path: String, _ entries: String) throws -> String {
    String(
      decoding: try tool("ffprobe", ["-v", "error", "-show_entries", entries, path]),
      as: UTF8.self)
  }
}
