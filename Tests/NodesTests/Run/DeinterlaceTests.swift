import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Interlaced video becomes whole frames, and audio is drawn.
  @Suite struct DeinterlaceTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func run(_ nodes: String, _ wires: String) async throws -> Report {
      try await pipeline(#"{ "nodes": { \#(nodes) }, "wires": [\#(wires)] }"#).run()
    }

    /// How much of a frame's rows differ from those around them: much where it shows two moments.
    private func combing(_ frame: [UInt8], _ width: Int) -> Double {
      let rows = stride(from: 0, to: frame.count, by: width * 3).map {
        frame[$0..<$0 + width * 3].map { Int($0) }
      }
      var sum = 0
      for row in 1..<rows.count - 1 {
        for index in rows[row].indices {
          sum += abs(2 * rows[row][index] - rows[row - 1][index] - rows[row + 1][index])
        }
      }
      return Double(sum) / Double(frame.count)
    }

    @Test(arguments: ["top", "all"]) func fieldsBecomeFrames(_ fields: String) async throws {
      let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
      // A bar that moves by six pixels from field to field.
      try ffmpeg(
        "-f lavfi -i color=black:s=96x64:r=50:d=0.8 -f lavfi -i color=white:s=12x64:r=50:d=0.8",
        "-filter_complex [0][1]overlay=x=mod(6*n\\,96),format=yuv420p,interlace=scan=tff",
        "-c:v libx264 -preset veryfast -qp 10 -flags +ildct+ilme", to: input)
      let report = try await run(
        """
        "f": { "type": "file", "path": "\(input)" }, "d": { "type": "decoder", "media": "video" },
        "x": { "type": "deinterlace", "fields": "\(fields)" },
        "e": { "type": "h264Encoder", "preset": "ultrafast", "quality": 10 },
        "m": { "type": "mp4Sink", "path": "\(output)" }
        """, #""f.video -> d -> x -> e -> m.video""#)
      #expect(report.state == .completed, "\(report.failure as Any)")
      let (before, after) = (
        try DecodedFrames(of: input, 96, 64).frames, try DecodedFrames(of: output, 96, 64).frames
      )
      #expect(before.count == 20 && after.count == (fields == "all" ? 40 : 20), "\(after.count)")
      let (rough, smooth) = (combing(before[9], 96), combing(after[9], 96))
      #expect(rough > 8 && smooth < rough / 3, "\(rough) \(smooth)")
      #expect(try probe(output).first.map { abs($0.end - $0.start - 0.8) < 0.05 } == true)
    }

    /// Whether the top field is the first of each of a file's frames, where they have fields.
    private func areTopFirst(_ path: String) throws -> [Bool?] {
      let words = ["-v", "error", "-select_streams", "v", "-of", "csv=p=0", "-show_entries"]
      let text = try tool("ffprobe", words + ["frame=interlaced_frame,top_field_first", path])
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
        let values = line.split(separator: ",")
        return values.first == "1" ? values.dropFirst().first == "1" : nil
      }
    }

    @Test(
      "the field that is first stays so, and one effect later it is still known",
      arguments: [
        ("in.ts", "tff", "-c:v mpeg2video -q:v 2 -flags +ildct+ilme -top 1"),
        ("in.ts", "bff", "-c:v mpeg2video -q:v 2 -flags +ildct+ilme -top 0"),
        ("in.mov", "tff", "-pix_fmt yuv422p10le -c:v prores_ks -flags +ildct -top 1"),
        ("in.mp4", "tff", "-c:v libx264 -flags +ildct+ilme -x264opts tff=1"),
      ])
    func fieldOrder(name: String, order: String, encoder: String) async throws {
      let (input, output) = (scratch.path(name), scratch.path("out.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=96x64:r=50:d=0.8",
        "-vf format=yuv420p,tinterlace=mode=interleave_\(order == "tff" ? "top" : "bottom"),"
          + "setfield=\(order) \(encoder)", to: input)
      let crop = #""crop": { "type": "crop", "width": 64, "height": 48 },"#
      for effect in ["", "crop -> "] {
        _ = try await run(
          """
          "f": { "type": "file", "path": "\(input)" }, \(effect.isEmpty ? "" : crop)
          "e": { "type": "h264Encoder", "preset": "ultrafast" },
          "m": { "type": "mp4Sink", "path": "\(output)", "overwrite": true }
          """, "\"f.video -> \(effect)e -> m.video\"")
        let found = try areTopFirst(output)
        #expect(found.count == 20 && found.allSatisfy { $0 == (order == "tff") }, "\(found)")
      }
      _ = try await run(
        """
        "f": { "type": "file", "path": "\(input)" }, \(crop)
        "x": { "type": "deinterlace", "fields": "all" },
        "e": { "type": "h264Encoder", "preset": "ultrafast" },
        "m": { "type": "mp4Sink", "path": "\(output)", "overwrite": true }
        """, #""f.video -> crop -> x -> e -> m.video""#)
      let frames = try DecodedFrames(of: output, 64, 48).frames
      #expect(frames.count == 40, "\(frames.count)")
    }

    /// A transport stream of MPEG-2, its top fields first.
    private func makeMPEG2(_ more: String = "", from start: Int = 0) throws -> String {
      let path = scratch.path("in.ts")
      try ffmpeg(
        "-itsoffset \(start) -f lavfi -i testsrc2=s=96x64:r=50:d=0.8 \(more)",
        "-vf format=yuv420p,tinterlace=mode=interleave_top,setfield=tff",
        "-c:v mpeg2video -q:v 2 -flags +ildct+ilme -top 1", to: path)
      return path
    }

    @Test("the field that is first is known of video that begins later than its audio")
    func lateStart() async throws {
      let input = try makeMPEG2("-f lavfi -i sine=d=2 -map 0 -map 1 -c:a mp2", from: 1)
      let output = scratch.path("out.mp4")
      _ = try await run(
        """
        "f": { "type": "file", "path": "\(input)" },
        "e": { "type": "h264Encoder", "preset": "ultrafast", "keyFrameInterval": 5 },
        "a": { "type": "aacEncoder" },
        "m": { "type": "mp4Sink", "path": "\(output)", "overwrite": true }
        """, #""f.video -> e -> m.video", "f.audio -> a -> m.audio""#)
      let found = try areTopFirst(output)
      #expect(found.count == 20 && found.allSatisfy { $0 == true }, "\(found)")
    }

    @Test(
      "frames that are scaled to heights that no fields have are whole",
      arguments: [
        #""x": { "type": "scale", "width": 128, "height": 90 }"#,
        #""x": { "type": "grid", "columns": 1, "cellWidth": 128, "cellHeight": 90 }"#,
        #""x": { "type": "grid", "columns": 1, "cellWidth": 720, "cellHeight": 576 }"#,
        #""x": { "type": "crop", "x": 0, "y": 0, "width": 128, "height": 90 }"#,
      ])
    func whole(node: String) async throws {
      #expect(try await fieldOrder(after: node) == "progressive\n")
    }

    @Test(
      "fields of others stay apart",
      arguments: [
        #""x": { "type": "scale", "width": 128, "height": 96 }"#,
        #""x": { "type": "scale", "width": 768, "height": 576, "mode": "stretch" }"#,
        #""x": { "type": "crop", "x": 0, "y": 0, "width": 128, "height": 96 }"#,
      ])
    func apart(node: String) async throws {
      #expect(try await fieldOrder(after: node) != "progressive\n")
    }

    private func fieldOrder(after node: String) async throws -> String {
      let (input, output) = (scratch.path("in.mpg"), scratch.path("out.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=720x576:r=25:d=0.4 -vf setfield=tff -c:v mpeg2video -q:v 3",
        "-flags +ildct+ilme", to: input)
      _ = try await run(
        """
        "f": { "type": "file", "path": "\(input)" }, \(node),
        "e": { "type": "h264Encoder", "preset": "ultrafast" },
        "m": { "type": "mp4Sink", "path": "\(output)" }
        """, #""f.video -> x -> e -> m.video""#)
      #expect(try decodedFrames(output).count == 10)
      let order = try tool(
        "ffprobe", ["-v", "error", "-show_entries", "stream=field_order", "-of", "csv=p=0", output])
      return String(decoding: order, as: UTF8.self)
    }

    @Test(arguments: AudioVisual.Style.allCases)
    func audioIsDrawnAtExactTimes(_ style: AudioVisual.Style) async throws {
      let (input, output) = (scratch.path("in.wav"), scratch.path("out.mp4"))
      // Half a second of silence, then a tone.
      try ffmpeg(
        "-f lavfi -i aevalsrc='0.8*sin(2500*t)*gt(t,0.5)|0.3*sin(900*t)*gt(t,0.5)':s=44100:d=1",
        to: input)
      let report = try await run(
        """
        "f": { "type": "file", "path": "\(input)" },
        "x": { "type": "audioVisual", "style": "\(style.rawValue)", "width": 160, "height": 96, "frameRate": 25 },
        "e": { "type": "h264Encoder", "preset": "ultrafast" },
        "m": { "type": "mp4Sink", "path": "\(output)" }
        """, #""f.audio -> x -> e -> m.video""#)
      #expect(report.state == .completed, "\(report.failure as Any)")
      let frames = try DecodedFrames(of: output, 160, 96).frames
      #expect((24...26).contains(frames.count), "\(frames.count)")
      let (silent, loud) = (Set(frames[6]).count, frames[20].count { $0 > 100 })
      #expect(loud > 10 && frames[6] != frames[20], "\(silent) \(loud)")
    }

    @Test func frameRatesThatCantBeDrawnAreProblems() {
      #expect(AudioVisual.with { $0.frameRate = Rational(500) }.problem?.key == "frameRate")
    }
  }
}
