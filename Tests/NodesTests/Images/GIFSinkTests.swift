import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Files of `gifSink`, as ffmpeg reads them.
@Suite(.inTurn) struct GIFSinkTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Makes a file without loss, and a GIF of it; returns both.
  private func make(
    _ signal: String, _ settings: String = "", format: String = "rgb24"
  ) async throws -> (source: String, gif: String) {
    let (source, path) = (scratch.path("in.mov"), scratch.path("out.gif"))
    try ffmpeg("-f lavfi -i \(signal) -pix_fmt \(format) -c:v png", to: source)
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "gifSink", "path": "\(path)"\(settings) } },
        "wires": ["in.video -> out"] }
      """)
    let report = try await run.run()
    #expect(report.state == .completed && report.unbalanced == [] && report.warnings == nil)
    #expect(try decodeComplaints(path) == "")
    return (source, path)
  }

  /// The pixels of all frames.
  private func pixels(_ path: String, _ format: String = "rgb24") throws -> [UInt8] {
    let words = ["-v", "error", "-i", path, "-fps_mode", "passthrough"]
    return Array(try tool("ffmpeg", words + ["-pix_fmt", format, "-f", "rawvideo", "-"]))
  }

  /// When frames are presented, in hundredths of a second.
  private func times(_ path: String) throws -> [Int] {
    let words = ["-v", "error", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path]
    return String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
      .compactMap { Double($0.prefix { $0 != "," }).map { Int(($0 * 100).rounded()) } }
  }

  /// 64 colours of noise, more than tables of codes have room for, and a rectangle that moves.
  @Test func fewColorsStayExactlyThose() async throws {
    let noise = "nullsrc=s=160x120:r=10:d=0.4,geq=r='st(0,random(1)*4);floor(ld(0))*80'"
    let (source, path) = try await make(
      noise + ":g='floor(random(2)*4)*80':b='floor(random(3)*4)*80'")
    #expect(try pixels(path) == pixels(source))
    let box = "between(X,N*5,N*5+8)*between(Y,N*3,N*3+6)"
    let moving =
      "color=red:s=64x48:r=10:d=0.5,format=gbrp,geq=r='255-255*\(box)':g='255*\(box)':b=9"
    let (second, copy) = try await make(moving, #", "overwrite": true"#, format: "rgb24")
    #expect(try pixels(copy) == pixels(second))
    // Only what moves is written again.
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count < 1_200)
  }

  @Test(arguments: ["", #", "colors": 32"#, #", "dither": false"#])
  func manyColorsAreNearThose(_ settings: String) async throws {
    let (source, path) = try await make("testsrc2=s=96x72:r=10:d=0.3", settings)
    let (old, new) = (try pixels(source), try pixels(path))
    try #require(old.count == new.count && old.count == 96 * 72 * 3 * 3)
    let square = zip(old, new).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    let noise = 10 * log10(255 * 255 / (square / Double(old.count)))
    #expect(noise > (settings.contains("32") ? 22 : 28), "\(noise) dB")
    // Smooth surfaces keep their level: dithering mixes what is missing.
    func mean(_ bytes: [UInt8]) -> Double { Double(bytes.reduce(0) { $0 + Int($1) }) / 62_208 }
    #expect(abs(mean(old) - mean(new)) < 2)
  }

  @Test(arguments: [("30", 30), ("12", 12), ("24000/1001", 24)])
  func framesAreShownWhenTheyShould(_ rate: String, _ count: Int) async throws {
    let (source, path) = try await make("testsrc=s=48x32:r=\(rate):d=1")
    let wanted = try times(source)
    #expect(wanted.count == count)
    #expect(try times(path) == wanted)
    let words = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    let length = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    #expect(abs((Double(length.prefix { $0 != "\n" }) ?? 0) - 1) < 0.011, "\(length)")
  }

  @Test(arguments: [(0, [UInt8]([0, 0])), (3, [2, 0]), (1, nil)])
  func playsAsOften(_ plays: Int, _ count: [UInt8]?) async throws {
    let path = try await make("testsrc=s=48x32:r=5:d=0.4", #", "plays": \#(plays)"#).gif
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = bytes.firstRange(of: Array("NETSCAPE2.0".utf8))
    #expect(place.map { Array(bytes[$0.upperBound + 2..<$0.upperBound + 4]) } == count)
    #expect(bytes.last == 0x3b)
  }

  /// What is transparent in a frame shows nothing of the frames before it.
  @Test func transparentPixelsStayTransparent() async throws {
    let signal = "color=red:s=32x24:r=5:d=0.6,format=rgba,geq=r=255:g=0:b=0"
    let (source, path) = try await make(
      signal + ":a='255*between(X,N*8,N*8+9)'", format: "rgba")
    let (old, new) = (try pixels(source, "rgba"), try pixels(path, "rgba"))
    let alphas = stride(from: 3, to: old.count, by: 4)
    try #require(old.count == new.count)
    #expect(alphas.map { old[$0] } == alphas.map { new[$0] })
  }

  @Test func whatPlayersDoNotShowIsAProblem() {
    var sink = GIFSink()
    sink.path = "a.gif"
    let fast = ["in": FormatConstraint.video(frameRate: Rational(60))]
    #expect(sink.problem(formats: fast)?.remedy.contains("videoConvert") == true)
    #expect(sink.problem(formats: ["in": .video(frameRate: Rational(50))]) == nil)
    #expect(sink.problem(formats: ["in": .video(width: 70_000, height: 9)]) != nil)
    sink.path = "a.png"
    #expect(sink.problem?.key == "path")
  }

  @Test func aGIFThatIsThereStays() async throws {
    _ = try scratch.write("old".utf8, to: "out.gif")
    await #expect(throws: (any Error).self) { try await make("testsrc=s=48x32:r=5:d=0.2") }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("out.gif")))
    #expect(bytes == Data("old".utf8))
  }

  @Test func anotherSizeIsNamed() async throws {
    var stream: [UInt8] = []
    for (index, size) in ["64x48", "80x48"].enumerated() {
      let part = scratch.path("\(index).ts")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=\(size):r=10:d=1 -pix_fmt yuv420p -c:v libx264",
        "-output_ts_offset \(index)", to: part)
      stream += try Data(contentsOf: URL(fileURLWithPath: part))
    }
    let source = try scratch.write(stream, to: "in.ts")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "gifSink", "path": "\(scratch.path("out.gif"))" } },
        "wires": ["in.video -> out"] }
      """)
    let failure = await #expect(throws: RunError.self) { try await run.run() }?.report.failure
    #expect(failure?.node == "out", "\(String(describing: failure))")
    #expect(failure?.message.hasSuffix("from 64x48 to 80x48, and a GIF has one size") == true)
    #expect(failure?.remedy == "put a `scale` with a `width` and `height` before it")
  }
}
