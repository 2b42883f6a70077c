import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Video whose pixels GStreamer has no name for is refused: its decoders crashed.
@Suite(.inTurn) struct UnknownPixelsTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func failure(of path: String) async throws -> String? {
    try await report(of: path).failure?.message
  }

  private func report(of path: String) async throws -> Report {
    try await reportOf(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
          "c": { "type": "videoConvert", "pixelFormat": "i420" }, "out": { "type": "nullSink" } },
        "wires": ["in.video -> d -> c -> out"] }
      """)
  }

  @Test(arguments: ["gray10le", "ya8", "yuv420p16le", "yuv440p10le", "gbrp16le"])
  func losslessVideo(pixels: String) async throws {
    let path = scratch.path("a.mkv")
    try ffmpeg("-f lavfi -i testsrc=s=64x48:d=0.5:r=10 -pix_fmt \(pixels) -c:v ffv1", to: path)
    let report = try await report(of: path)
    // Where its threads hold the whole stream, the decoder only ends.
    let said = report.failure?.message ?? "\(report.warnings ?? [])"
    #expect(said.contains("GStreamer has no name for"), "\(report)")
  }

  @Test(arguments: [10, 12]) func grayHEVC(bits: Int) async throws {
    let path = scratch.path("a.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:d=0.5:r=10 -pix_fmt gray\(bits)le -c:v libx265",
      "-x265-params log-level=none", to: path)
    #expect(try await failure(of: path) == "gray video of \(bits) bits can't be decoded")
  }

  @Test(arguments: ["yuv420p10le", "yuv422p12le", "yuv444p10le", "gray"])
  func whatHasANameIsDecoded(pixels: String) async throws {
    let path = scratch.path("a.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc=s=64x48:d=0.5:r=10 -pix_fmt \(pixels) -c:v libx265",
      "-x265-params log-level=none", to: path)
    #expect(try await failure(of: path) == nil)
  }

  /// As a camera's picture has it that was turned without being decoded: half the colours of a column.
  @Test func aJPEGInAnUnusualSampling() async throws {
    let (path, picture) = (scratch.path("a.avi"), scratch.path("a.jpg"))
    try ffmpeg("-f lavfi -i testsrc2=s=64x64:d=0.2:r=25 -pix_fmt yuvj422p -c:v mjpeg", to: path)
    #expect(try await failure(of: path) == nil)
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let marker: [UInt8] = [0xFF, 0xC0, 0, 17, 8]
    for place in bytes.indices where bytes[place...].starts(with: marker) {
      (bytes[place + 11], bytes[place + 14], bytes[place + 17]) = (0x22, 0x21, 0x21)
    }
    try Data(bytes).write(to: URL(filePath: path))
    let problem = "has its colours as 4:4:0"
    #expect(
      try await failure(of: path) == "a JPEG picture at 0.000 s \(problem), and can't be decoded")
    try tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-c", "copy", "-frames:v", "1", "-f", "image2", picture])
    let errors = #expect(throws: GraphErrors.self) {
      _ = try pipeline(
        """
        { "nodes": { "in": { "type": "testVideo", "frames": 3 },
            "logo": { "type": "watermark", "path": "\(picture)" }, "out": { "type": "nullSink" } },
          "wires": ["in -> logo -> out"] }
        """)
    }
    #expect(errors.map { "\($0)".contains("`\(picture)` \(problem)") } == true, "\(errors as Any)")
  }

  /// Gray of which the file says the range and no matrix, as ffmpeg writes it.
  @Test(arguments: [
    "a.mp4 -c:v libx265 -x265-params log-level=none", "a.mkv -c:v ffv1", "a.nut.mkv -c:v rawvideo",
  ])
  func grayIsAsLightAsItIs(file: String) async throws {
    let words = file.split(separator: " ", maxSplits: 1).map(String.init)
    let path = scratch.path(words[0])
    try ffmpeg("-f lavfi -i testsrc=s=64x48:d=0.2:r=10 -vf format=gray", words[1], to: path)
    let output = scratch.path("a.rgb")
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
          "c": { "type": "videoConvert", "pixelFormat": "rgba" },
          "out": { "type": "gst", "element": "filesink", "properties": { "location": "\(output)" } }
        }, "wires": ["in.video -> d -> c -> out"] }
      """
    ).run()
    let got = try Data(contentsOf: URL(filePath: output))
    let wanted = try tool(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    #expect(got.count == wanted.count)
    let worst = zip(got, wanted).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst.map { $0 <= 4 } == true, "\(worst ?? -1)")
  }
}
