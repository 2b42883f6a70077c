import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

extension FileTests {
  /// WebVTT in Matroska, of mkvmerge, and in WebM, of ffmpeg, where each text has two lines before it.
  @Suite struct WebVTTTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let texts = """
      WEBVTT

      00:00.500 --> 00:01.000 align:start
      a &lt; b &amp; all

      00:01.000 --> 00:01.500
      <c.yellow>two</c> &amp; <b>a half</b>

      00:01.500 --> 00:02.000
      3 &amp; more
      of it

      """

    @Test("texts are read", arguments: [false, true], [false, true])
    func reads(isWebM: Bool, isIsolated: Bool) async throws {
      let (texts, pictures) = (scratch.path("a.vtt"), scratch.path("pictures.webm"))
      let file = scratch.path(isWebM ? "a.webm" : "a.mkv")
      try Data(Self.texts.utf8).write(to: URL(filePath: texts))
      try ffmpeg("-f lavfi -i testsrc=s=64x48:d=2 -c:v libvpx", to: pictures)
      if isWebM {
        let words = ["-i", pictures, "-i", texts, "-map", "0", "-map", "1", "-c", "copy", file]
        try tool("ffmpeg", ["-v", "error"] + words)
      } else {
        try tool("mkvmerge", ["-q", "-o", file, pictures, texts])
      }
      let path = scratch.path("a.mp4")
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(file)", "isolate": \(isIsolated) },
            "video": { "type": "h264Encoder" }, "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.video -> video -> out.video", "in.text -> out.text"] }
        """
      ).run()
      #expect(report.warnings == nil && report.unbalanced == [])
      let shown = ["-v", "error", "-i", path, "-map", "0:s", "-f", "webvtt", "-"]
      let found = String(decoding: try tool("ffmpeg", shown), as: UTF8.self)
      #expect(
        try SubtitleFile.parse(found[...], path) == [
          Subtitle(start: 500, end: 1_000, text: "a < b & all"),
          Subtitle(start: 1_000, end: 1_500, text: "two & a half"),
          Subtitle(start: 1_500, end: 2_000, text: "3 & more\nof it"),
        ])
    }
  }
}
