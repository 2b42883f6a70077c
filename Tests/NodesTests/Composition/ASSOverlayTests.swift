import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

extension RunTests {
  /// Scripts that are drawn, beside ffmpeg's filter `ass`, and their texts, as ffmpeg reads them.
  @Suite("assOverlay") struct ASSOverlayTests {
    private let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    private static let head = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: 640
      PlayResY: 360

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, Bold, BorderStyle, Outline, Alignment, MarginV
      Style: Default,DejaVu Sans,40,&H00FFFFFF,&H00000000,&H80000000,0,1,2,2,20
      Style: Sign,DejaVu Sans,28,&H00FFFFFF,&H00000000,&H00000000,-1,1,1,8,10

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

      """

    private static let events = """
      Dialogue: 0,0:00:00.30,0:00:00.70,Default,,0,0,0,,{\\k20}Kara{\\k20}oke, with a comma\\Nand {\\i1}more{\\i0}
      Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,not shown
      Dialogue: 1,0:00:01.00,0:00:01.80,Sign,,0,0,0,,{\\move(100,60,500,60)\\frz15}moving sign

      """

    private static let drawing =
      "Dialogue: 0,0:00:01.20,0:00:01.60,Default,,0,0,0,,{\\an5\\p1}m 0 0 l 100 0 100 60{\\p0}\n"

    private func script(_ text: String, _ name: String = "a.ass") throws -> String {
      try scratch.write(text.utf8, to: name)
    }

    /// Two seconds of grey, 10 frames a second.
    private func grey(_ size: String = "320x180", _ filter: String = "null") throws -> String {
      let path = scratch.path("grey.mp4")
      try tool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=gray:s=\(size):r=10:d=2", "-vf", filter,
          "-c:v",
          "libx264", path,
        ])
      return path
    }

    private func pixels(_ path: String, _ filter: String = "null") throws -> [UInt8] {
      let words = ["-v", "error", "-i", path, "-vf", filter, "-pix_fmt", "gray", "-f", "rawvideo"]
      return Array(try tool("ffmpeg", words + ["-"]))
    }

    private func overlaid(
      _ video: String, _ script: String, _ more: String = "", from: Double = 0
    ) async throws -> String {
      let path = scratch.path("out.mp4")
      let run = try pipeline(
        """
        { "nodes": {
            "source": { "type": "file", "path": "\(video)", "from": \(from) },
            "shown": { "type": "assOverlay", "path": "\(script)"\(more) },
            "video": { "type": "h264Encoder", "quality": 1 },
            "movie": { "type": "mp4Sink", "path": "\(path)", "overwrite": true } },
          "wires": ["source.video -> shown -> video -> movie.video"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
      return path
    }

    /// How many pixels differ by more than what encoding does, and which frames show something.
    private func compare(_ ours: [UInt8], _ theirs: [UInt8]) -> (different: Int, shown: [Int]) {
      let size = ours.count / 20
      let shown = (0..<20).filter { frame in
        ours[frame * size..<(frame + 1) * size].contains { $0 > 200 }
      }
      return (zip(ours, theirs).count { abs(Int($0) - Int($1)) > 24 }, shown)
    }

    @Test func showsWhatFFmpegDoes() async throws {
      let video = try grey()
      let script = try script(Self.head + Self.events + Self.drawing)
      let ours = try pixels(try await overlaid(video, script))
      let theirs = try pixels(video, "ass=\(script)")
      #expect(ours.count == theirs.count)
      let (different, shown) = compare(ours, theirs)
      #expect(shown == Array(3...6) + Array(10...17))
      #expect(different < 40, "\(different) pixels of \(ours.count)")
    }

    /// The columns and rows of each frame in which something is shown.
    private func extents(_ pixels: [UInt8], width: Int, height: Int) -> [[Int]] {
      stride(from: 0, to: pixels.count, by: width * height).map { start in
        let places = (0..<width * height).filter { pixels[start + $0] > 180 }
        let (columns, rows) = (places.map { $0 % width }, places.map { $0 / width })
        return [columns.min(), columns.max(), rows.min(), rows.max()].map { $0 ?? -1 }
      }
    }

    @Test func textsHaveTheirShapeWhereFramesHaveWidePixels() async throws {
      let video = try grey("240x180", "setsar=4/3")
      let script = try script(Self.head + Self.events)
      let scaled = "scale=320:180,setsar=1"
      let ours = extents(
        try pixels(try await overlaid(video, script), scaled), width: 320, height: 180)
      let theirs = extents(try pixels(video, "\(scaled),ass=\(script)"), width: 320, height: 180)
      #expect(ours.count == 20 && theirs.count == 20)
      // Outlines and letters are placed by whole pixels.
      for (frame, (own, other)) in zip(ours, theirs).enumerated() {
        #expect(zip(own, other).allSatisfy { abs($0 - $1) <= 8 }, "\(frame): \(own) \(other)")
      }
      #expect(theirs.count { $0[0] >= 0 } == 12)
    }

    @Test func textsMoveByTheOffset() async throws {
      let video = try grey()
      let script = try script(Self.head + Self.events)
      let later = try pixels(try await overlaid(video, script, ", \"offset\": 0.2"))
      #expect(compare(later, later).shown == Array(5...8) + Array(12...19))
      let cut = try pixels(try await overlaid(video, script, ", \"offset\": -0.5", from: 0.5))
      let size = cut.count / 15
      let first = (0..<15).filter { frame in
        cut[frame * size..<(frame + 1) * size].contains { $0 > 200 }
      }
      #expect(first == [0, 1] + Array(5...12))
    }

    @Test func textsAreReadWithoutStyles() throws {
      let path = try script(Self.head + Self.events)
      let words = ["-v", "error", "-i", path, "-f", "webvtt", "-"]
      let theirs = try SubtitleFile.parse(
        String(decoding: try tool("ffmpeg", words), as: UTF8.self)[...], "")
      let ours = try SubtitleFile(path).subtitles
      #expect(ours == theirs)
      #expect(ours.map(\.text) == ["Karaoke, with a comma\nand more", "moving sign"])
      let drawn = try SubtitleFile(try script(Self.head + Self.events + Self.drawing, "b.ass"))
      #expect(drawn.subtitles == ours)
    }

    @Test(arguments: [
      ("{", "{"), ("a{\\b1}b{c", "ab{c"), ("a\\x\\", "a\\x\\"), ("{\\p1}m 0 0{\\p0}after", "after"),
      ("{\\pos(1,2)}at", "at"), ("a\\nb\\hc", "a b\u{a0}c"),
    ])
    func plainText(text: String, plain: String) { #expect(ASSScript.plain(text[...]) == plain) }

    @Test func whatIsNoScriptIsAnError() throws {
      let wrong = [
        ("1\n00:00:01,000 --> 00:00:02,000\ntext\n", "is no script of ASS or SSA"),
        (Self.head + "Dialogue: 0,0:00:x,0:00:02.00,Default,,0,0,0,,a\n", "line 13 of"),
        (Self.head + "Dialogue: 0,0:00:01.00\n", "has no times or no text"),
      ]
      for (text, words) in wrong {
        var node = ASSOverlay()
        node.path = try script(text)
        let error = #expect(throws: NodeError.self) { _ = try node.resolve(in: LiveEnvironment()) }
        #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
      }
      var node = ASSOverlay()
      node.path = try script(Self.head)
      node.fonts = scratch.path("none")
      let error = #expect(throws: NodeError.self) { _ = try node.resolve(in: LiveEnvironment()) }
      #expect(error?.key == "fonts")
    }

    @Test func aCharacterWithoutAFontIsAWarning() throws {
      var node = ASSOverlay()
      node.path = try script(Self.head + Self.events.replacing("moving", with: "\u{10FFFD}"))
      let warnings = try node.resolve(in: LiveEnvironment())
      #expect(warnings.count == 1 && warnings[0].contains("`\u{10FFFD}` (U+10FFFD)"), "\(warnings)")
    }

    @Test func fontsThatAreMissingAreNamed() throws {
      var node = ASSOverlay()
      node.path = try script(Self.head.replacing("Sign,DejaVu Sans", with: "Sign,@Nowhere Sans"))
      let warnings = try node.resolve(in: LiveEnvironment())
      #expect(warnings == ["the font `Nowhere Sans` isn't installed; another font is used instead"])
      node.path = try script(
        Self.head.replacing("Sign,DejaVu Sans", with: "Sign,Nowhere") + "\n[Fonts]\nfontname: a\n",
        "b.ass")
      #expect(try node.resolve(in: LiveEnvironment()) == [])
    }

    @Test func tooManyTextsAtOnceAreAnError() throws {
      let event = "Dialogue: 0,0:00:01.00,0:00:09.00,Default,,0,0,0,,a\n"
      let few = try script(Self.head + String(repeating: event, count: 1_000))
      #expect(try SubtitleFile(few).subtitles.count == 1)
      let many = try script(Self.head + String(repeating: event, count: 1_001), "b.ass")
      let error = #expect(throws: NodeError.self) { _ = try SubtitleFile(many) }
      #expect(error.map { "\($0)".contains("more than 1000 texts at once, 1 s") } == true)
    }
  }
}
