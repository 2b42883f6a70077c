import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

extension FileTests {
  /// The colours of video whose file says that they are of full range, and of what is made of it.
  @Suite struct ColorRangeTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// The first pixel of a file's first frame, as ffmpeg shows it.
    private func pixel(_ path: String) throws -> [Int] {
      let words = ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "rgb24"]
      return try tool("ffmpeg", words + ["-f", "rawvideo", "-"]).prefix(3).map { Int($0) }
    }

    /// A file of one colour in full range by the weights of BT.709.
    private func makeFile(_ name: String, _ encoder: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i color=0xE03020:s=96x64:d=0.2 -vf scale=out_color_matrix=bt709:out_range=pc",
        "-pix_fmt yuv420p -colorspace bt709 -color_range pc -color_primaries bt709",
        "-color_trc bt709 \(encoder)", to: path)
      return path
    }

    private func run(_ input: String, encoded: Bool, to output: String) async throws {
      let encoder = encoded ? #""encoder": { "type": "h264Encoder", "quality": 1 },"# : ""
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(encoder)
                     "out": { "type": "mp4Sink", "path": "\(output)", "overwrite": true } },
          "wires": ["in.video -> \(encoded ? "encoder -> " : "")out.video"] }
        """
      ).run()
      #expect(report.state == .completed && report.warnings == nil)
    }

    /// The range that a file says outside of its samples.
    private func isFullRange(_ path: String) throws -> Bool {
      let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
      let box = try #require(bytes.indices.first { bytes[$0...].starts(with: "colrnclx".utf8) })
      return bytes[box + 14] == 0x80
    }

    @Test(
      "colours stay, whatever says that they are of full range",
      arguments: [
        ("in.mp4", "-c:v libx264 -qp 0"), ("in.mov", "-c:v libx264 -qp 0"),
        ("in.mkv", "-c:v libx264 -qp 0"),
        ("in.mp4", "-c:v libx265 -x265-params log-level=none:lossless=1 -tag:v hvc1"),
      ])
    func fullRange(name: String, encoder: String) async throws {
      let (input, output) = (try makeFile(name, encoder), scratch.path("out.mp4"))
      // What it makes, it reads as well.
      for path in [input, output] {
        let result = path == input ? output : scratch.path("again.mp4")
        try await run(path, encoded: true, to: result)
        let (found, wanted) = (try pixel(result), [0xe0, 0x30, 0x20])
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 4 }, "\(found)")
        let isFull = try isFullRange(result)
        #expect(isFull)
      }
      let copy = scratch.path("copy.mp4")
      try await run(input, encoded: false, to: copy)
      let isFull = try isFullRange(copy)
      #expect(isFull)
    }

    @Test("the samples of what is encoded say it, too", arguments: ["out.mp4", "out.mkv"])
    func encodedSamples(name: String) async throws {
      let input = try makeFile("in.mkv", "-c:v libx264 -qp 0")
      let output = scratch.path(name)
      let sink = name.hasSuffix("mp4") ? "mp4Sink" : "matroskaSink"
      for encoder in ["h264Encoder", "hevcEncoder", "vp9Encoder", "av1Encoder"] {
        let report = try await pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(input)" },
                       "encoder": { "type": "\(encoder)" },
                       "out": { "type": "\(sink)", "path": "\(output)", "overwrite": true } },
            "wires": ["in.video -> encoder -> out.video"] }
          """
        ).run()
        #expect(report.warnings == nil)
        // A stream without a container says no more than its samples.
        let bare = scratch.path("bare.\(Self.endings[encoder] ?? "ivf")")
        try tool("ffmpeg", ["-v", "error", "-y", "-i", output, "-c", "copy", bare])
        let words = ["-v", "error", "-of", "csv=p=0", "-show_entries"]
        let fields = "stream=color_range,color_space,color_transfer,color_primaries"
        let found = String(decoding: try tool("ffprobe", words + [fields, bare]), as: UTF8.self)
        // VP9 has neither primaries nor a transfer.
        let wanted = encoder == "vp9Encoder" ? "pc,bt709," : "pc,bt709,bt709,bt709"
        #expect(found.hasPrefix(wanted), "\(encoder): \(found)")
      }
    }

    private static let endings = [
      "h264Encoder": "h264", "hevcEncoder": "hevc", "av1Encoder": "obu",
    ]

    @Test(
      "what samples don't say is what their file says",
      arguments: [
        (
          "in.mkv",
          "-c:v libvpx-vp9 -pix_fmt yuv420p10le -colorspace bt2020nc -color_primaries bt2020 "
            + "-color_trc smpte2084", "bt2020nc,smpte2084,bt2020"
        ),
        (
          "in.mkv", "-c:v libx264 -pix_fmt yuv420p -color_range pc -colorspace bt709",
          "pc,bt709,unknown,unknown"
        ),
      ])
    func partlySaid(name: String, encoder: String, wanted: String) async throws {
      let (input, output) = (scratch.path(name), scratch.path("copy.mp4"))
      let plain = scratch.path("plain.mkv")
      try ffmpeg("-f lavfi -i color=0xE03020:s=96x64:d=0.2 \(encoder)", to: plain)
      // The header says it again, of what the encoder said.
      try tool("ffmpeg", ["-v", "error", "-i", plain, "-c", "copy", input])
      try await run(input, encoded: false, to: output)
      let words = ["-v", "error", "-of", "csv=p=0", "-show_entries"]
      let fields = "stream=color_range,color_space,color_transfer,color_primaries"
      let found = String(decoding: try tool("ffprobe", words + [fields, output]), as: UTF8.self)
      #expect(found.contains(wanted), "\(found)")
      let isFull = try isFullRange(output)
      #expect(isFull == encoder.contains("-color_range pc"))
    }

    @Test(
      "gray of full range keeps its values",
      arguments: [
        ("in.mkv", "png"), ("in.mov", "png"), ("in.mkv", "ffv1"),
        ("in.mkv", "ffv1 -colorspace bt709 -color_range pc"),
      ])
    func gray(name: String, codec: String) async throws {
      let (input, output) = (scratch.path(name), scratch.path("out.mp4"))
      try ffmpeg(
        "-f lavfi -i nullsrc=s=256x16:r=5:d=0.4 -vf format=gray,geq=lum=X -c:v \(codec)", to: input)
      try await run(input, encoded: true, to: output)
      let words = ["-v", "error", "-i", output, "-frames:v", "1", "-pix_fmt", "gray"]
      let row = try tool("ffmpeg", words + ["-f", "rawvideo", "-"]).prefix(256)
      for (value, found) in row.enumerated() {
        // Where the matrix is another than that of its size, GStreamer's conversion is 2 to 3 off.
        #expect(abs(value - Int(found)) <= 3, "\(value) became \(found)")
      }
    }

    @Test("pixels without alpha become opaque ones")
    func pixelsWithoutAlpha() async throws {
      let (input, output) = (scratch.path("in.mkv"), scratch.path("out%04d.png"))
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=5:d=0.2 -c:v ffv1 -pix_fmt bgr0", to: input)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "out": { "type": "imageSequenceSink", "path": "\(output)" } },
          "wires": ["in.video -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      func pixels(_ path: String) throws -> Data {
        let words = ["-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "rgba"]
        return try tool("ffmpeg", words + ["-f", "rawvideo", "-"])
      }
      #expect(try pixels(scratch.path("out0001.png")) == pixels(input))
    }
  }
}
