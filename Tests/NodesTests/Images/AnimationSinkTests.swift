import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Files of `animationSink`, as other programs read them.
@Suite(.inTurn) struct AnimationSinkTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Makes a file without loss, and an animation of it; returns both.
  private func make(
    _ signal: String, _ name: String, _ settings: String = "", format: String = "rgba"
  ) async throws -> (source: String, animation: String) {
    let (source, path) = (scratch.path("in.mov"), scratch.path(name))
    try ffmpeg("-f lavfi -i \(signal) -pix_fmt \(format) -c:v png", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "animationSink", "path": "\(path)"\(settings) } },
        "wires": ["in.video -> out"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [] && report.warnings == nil)
    return (source, path)
  }

  /// The pixels of all frames of a source.
  private func pixels(_ path: String, _ format: String = "rgba") throws -> [UInt8] {
    let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough"]
    return Array(try tool("ffmpeg", words + ["-pix_fmt", format, "-f", "rawvideo", "-"]))
  }

  /// What Pillow makes of an animation: the pixels of its frames, their times, and how often it is shown.
  private func frames(of path: String) throws -> (pixels: [UInt8], milliseconds: [Int], plays: Int)
  {
    let program = """
      import sys
      from PIL import Image, ImageSequence
      image = Image.open(sys.argv[1])
      times, pixels = [], b''
      for frame in ImageSequence.Iterator(image):
          pixels += frame.convert('RGBA').tobytes()
          times.append(str(round(frame.info['duration'])))
      sys.stdout.buffer.write((','.join(times) + ' ' + str(image.info['loop']) + '\\n').encode() + pixels)
      """
    let output = Array(try tool("/usr/bin/python3", ["-c", program, path]))
    let end = try #require(output.firstIndex(of: 10))
    let words = String(decoding: output[..<end], as: UTF8.self).split(separator: " ")
    let times = words[0].split(separator: ",").compactMap { Int($0) }
    return (Array(output[(end + 1)...]), times, Int(words[1]) ?? -1)
  }

  /// Noise with pixels that can be seen through, and that change from frame to frame.
  private static let noise =
    "nullsrc=s=33x21:r=8:d=0.5,format=rgba,geq=r='random(1)*255':g='random(2)*255':b=40"
    + ":a='255*between(X,N*8,N*8+19)'"

  @Test(arguments: [
    ("out.webp", #", "quality": 100, "plays": 3"#), ("out.apng", ""), ("out.png", ""),
  ])
  func exactImagesAreThose(_ name: String, _ settings: String) async throws {
    let (source, path) = try await make(Self.noise, name, settings)
    let (read, old) = (try frames(of: path), try pixels(source))
    try #require(read.pixels.count == old.count && old.count == 33 * 21 * 4 * 4)
    // What is not seen has no colour that counts.
    let visible = old.indices.filter { old[$0 / 4 * 4 + 3] > 0 || $0 % 4 == 3 }
    #expect(visible.allSatisfy { old[$0] == read.pixels[$0] })
    #expect(read.milliseconds == [125, 125, 125, 125] && read.plays == (settings.isEmpty ? 0 : 3))
  }

  /// Sizes that the encoder of WebP doesn't take are refused before anything runs.
  @Test(arguments: [("out.webp", 15, false), ("out.webp", 16, true), ("out.png", 1, true)])
  func smallSizesAreRefused(_ name: String, _ side: Int, _ isTaken: Bool) {
    let format = FormatConstraint.video(width: 64, height: side)
    var animation = AnimationSink()
    animation.path = name
    var images = ImageSequenceSink()
    images.path = "%03d\(name)"
    for problem in [
      animation.problem(formats: ["in": format]), images.problem(formats: ["in": format]),
    ] {
      #expect((problem == nil) == isTaken)
      #expect(problem.map { $0.message.contains("takes those of 16x16 to 16383x16383") } ?? true)
    }
  }

  @Test func aWebPWithLossIsNear() async throws {
    let (source, path) = try await make(
      "testsrc2=s=96x72:r=24000/1001:d=0.3", "out.webp", format: "rgb24")
    let (read, old) = (try frames(of: path), try pixels(source))
    try #require(read.pixels.count == old.count)
    let square = zip(old, read.pixels).reduce(0) {
      $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
    }
    let noise = Double(square) / Double(old.count)
    #expect(10 * log10(255 * 255 / noise) > 22)
    // Rounded times have no error that adds up.
    let starts = read.milliseconds.reduce(into: [0]) { $0.append($0.last! + $1) }
    for (index, start) in starts.enumerated() {
      let exact = Double(index) * 1001 / 24
      #expect(abs(Double(start) - exact) < 1, "\(starts)")
    }
    // One byte more or less in all, and readers reject the file.
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let stated = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(stated == bytes.count - 8)
  }

  @Test(arguments: ["out.webp", "out.png"]) func nothingIsNoAnimation(_ name: String) async throws {
    let path = scratch.path("in.mov")
    try ffmpeg("-f lavfi -i testsrc=s=32x24:r=5:d=0.4 -c:v png", to: path)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" },
          "late": { "type": "trim", "from": 5 },
          "out": { "type": "animationSink", "path": "\(scratch.path(name))" } },
        "wires": ["in.video -> late -> out"] }
      """)
    await #expect { try await run.run() } throws: { "\($0)".contains("holds nothing") }
  }

  @Test func whatIsNoAnimationIsAProblem() {
    var sink = AnimationSink()
    sink.path = "a.webp"
    #expect(sink.problem(formats: ["in": .video(width: 16_384, height: 9)]) != nil)
    #expect(sink.problem(formats: ["in": .video(width: 16_383, height: 16)]) == nil)
    sink.path = "a.gif"
    #expect(sink.problem?.remedy.contains("gifSink") == true)
  }
}
