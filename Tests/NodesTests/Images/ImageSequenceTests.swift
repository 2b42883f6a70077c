import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Images of folders, in and out, as ffmpeg reads and writes them.
@Suite(.inTurn) struct ImageSequenceTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
  }

  private func folder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path(name), withIntermediateDirectories: true)
  }

  /// Frames of a test pattern, each in a file.
  private func makeFrames(
    _ name: String, count: Int = 4, format: String = "rgb24", size: String = "48x32"
  ) throws {
    try folder("in")
    let words = "-f lavfi -i testsrc2=s=\(size):r=5 -frames:v \(count) -pix_fmt \(format) -y"
    try tool(
      "ffmpeg",
      ["-v", "error"] + words.split(separator: " ").map(String.init)
        + [scratch.path("in/\(name)")])
  }

  private func pixels(_ path: String) throws -> Data {
    try tool(
      "ffmpeg",
      [
        "-v", "error", "-i", path, "-fps_mode", "passthrough", "-pix_fmt", "rgba",
        "-sws_flags", "accurate_rnd+full_chroma_int+bilinear", "-f", "rawvideo", "-",
      ])
  }

  @discardableResult
  private func run(
    _ input: String, _ output: String, _ settings: String = "", source: String = ""
  ) async throws -> Report {
    let report = try await pipeline(
      """
      { "nodes": {
          "in": { "type": "imageSequence", "path": "\(scratch.path(input))"\(source) },
          "out": { "type": "imageSequenceSink", "path": "\(scratch.path(output))"\(settings) } },
        "wires": ["in -> out"] }
      """
    ).run()
    #expect(report.state == .completed && report.unbalanced == [] && report.warnings == nil)
    return report
  }

  /// How far the values of an image are from those of another, on average.
  private func difference(_ path: String, _ other: String) throws -> Double {
    let (values, others) = (try pixels(path), try pixels(other))
    try #require(values.count == others.count && !values.isEmpty)
    let sum = zip(values, others).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(values.count)
  }

  @Test(
    "pictures of 16 bits, and of whole colours in JPEG, come out as ffmpeg reads them",
    arguments: [
      ("rgb48be", "png"), ("rgba64be", "png"), ("gray16be", "png"), ("ya16be", "png"),
      ("yuvj444p", "jpg"), ("gray", "jpg"),
    ])
  func asReadElsewhere(format: String, ending: String) async throws {
    try makeFrames("%03d.\(ending)", count: 1, format: format)
    try await run("in/%03d.\(ending)", "out/%d.png")
    let difference = try difference(scratch.path("out/1.png"), scratch.path("in/001.\(ending)"))
    #expect(difference < 1.5)
  }

  @Test("a colour that a PNG says to be transparent is")
  func transparentColor() async throws {
    try makeFrames("%03d.png", count: 1, format: "rgb24")
    let path = scratch.path("in/001.png")
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    let pixel = try pixels(path).prefix(3)
    // After the header, before what else there is.
    bytes.insert(contentsOf: PNGChunks.chunk("tRNS", pixel.flatMap { [0, $0] }), at: 33)
    try Data(bytes).write(to: URL(filePath: path))
    try await run("in/%03d.png", "out/%d.png")
    let alpha = try pixels(scratch.path("out/1.png")).enumerated().filter { $0.offset % 4 == 3 }
    let wanted = try pixels(path).enumerated().filter { $0.offset % 4 == 3 }
    #expect(alpha.map(\.element) == wanted.map(\.element) && alpha.first?.element == 0)
  }

  @Test(arguments: ["rgb24", "rgba", "gray"])
  func everyPixelOfPNGStays(_ format: String) async throws {
    try makeFrames("%03d.png", format: format)
    let report = try await run("in/%03d.png", "out/%05d.png")
    #expect(try names("out") == (1...4).map { "0000\($0).png" })
    for number in 1...4 {
      let (old, new) = (scratch.path("in/00\(number).png"), scratch.path("out/0000\(number).png"))
      #expect(try pixels(old) == pixels(new))
    }
    #expect(report.outputs.map(\.path) == [scratch.path("out")])
    #expect(
      try report.outputs[0].bytes
        == names("out").reduce(0) { sum, name in
          let file = URL(fileURLWithPath: scratch.path("out/\(name)"))
          return sum + (try Data(contentsOf: file).count)
        })
  }

  @Test(arguments: [("jpg", 28.0, 90), ("webp", 22, 90), ("webp", 99, 100)])
  func otherKindsAreNear(_ ending: String, _ least: Double, _ quality: Int) async throws {
    try makeFrames("%d.png", count: 2)
    try await run("in/%d.png", "out/%d.\(ending)", #", "quality": \#(quality)"#)
    try await run("out/%d.\(ending)", "back/%d.png")
    let (old, new) = (
      try pixels(scratch.path("in/2.png")), try pixels(scratch.path("back/2.png"))
    )
    try #require(old.count == new.count && !old.isEmpty)
    let square = zip(old, new).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    let noise = square == 0 ? 100 : 10 * log10(255 * 255 / (square / Double(old.count)))
    #expect(noise >= least, "\(noise) dB")
    // Other programs read no JPEG of red, green and blue.
    if ending == "jpg" {
      let words = ["-v", "error", "-of", "csv=p=0", "-show_entries", "stream=pix_fmt"]
      let format = try tool("ffprobe", words + [scratch.path("out/2.jpg")])
      #expect(String(decoding: format, as: UTF8.self).hasPrefix("yuvj444p"))
    }
    // ffmpeg sees what the node does: JPEG has its full range.
    let theirs = try pixels(scratch.path("out/2.\(ending)"))
    let off = zip(theirs, new).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(off < 8 * new.count, "\(off)")
  }

  @Test func numbersAreSortedByValue() async throws {
    try makeFrames("f%d.png", count: 11)
    try await run("in/f*.png", "out/%02d.png", #", "start": 0"#)
    #expect(try names("out").count == 11 && names("out")[0] == "00.png")
    #expect(try pixels(scratch.path("in/f10.png")) == pixels(scratch.path("out/09.png")))
    #expect(try pixels(scratch.path("in/f2.png")) == pixels(scratch.path("out/01.png")))
    let unsorted = ["a10", "a2", "A1", "a02", "a", "b", "a2b"]
    let sorted = unsorted.sorted { $0.precedesNaturally($1) }
    #expect(sorted == ["A1", "a", "a02", "a2", "a2b", "a10", "b"])
    #expect("abc.png".fits("a*c.p?g") && !"abc.png".fits("a*d.png") && "a".fits("a**"))
    #expect("aXbXc".fits("a*Xc") && !"ab".fits("a?b") && !"".fits("?"))
  }

  @Test func framesHaveTheirRate() async throws {
    try makeFrames("%d.png", count: 6)
    let path = scratch.path("out.mkv")
    let report = try await pipeline(
      """
      { "nodes": {
          "in": { "type": "imageSequence", "path": "\(scratch.path("in/%d.png"))", "start": 3,
                  "frameRate": "30000/1001" },
          "encoder": { "type": "vp8Encoder" },
          "out": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["in -> encoder -> out.video"] }
      """
    ).run()
    #expect(report.state == .completed, "\(report)")
    let track = try #require(report.outputs.first?.contents?.tracks.first)
    #expect(track.sampleCount == 4 && abs(track.duration - 4 * 1001 / 30_000) < 0.002)
  }

  /// A second between frames of five a second: every fifth.
  @Test func aTimeLapseKeepsSomeFrames() async throws {
    try makeFrames("%02d.png", count: 13)
    try await run(
      "in/%02d.png", "out/%d.png", #", "every": 1"#, source: #", "frameRate": 5"#)
    #expect(try names("out") == ["1.png", "2.png", "3.png"])
    for (kept, frame) in [(1, "01"), (2, "06"), (3, "11")] {
      let (old, new) = (scratch.path("in/\(frame).png"), scratch.path("out/\(kept).png"))
      #expect(try pixels(old) == pixels(new))
    }
  }

  @Test func filesThatAreThereStay() async throws {
    try makeFrames("%d.png", count: 2)
    try folder("out")
    _ = try scratch.write("old".utf8, to: "out/2.png")
    _ = try scratch.write("other".utf8, to: "out/notes.txt")
    let error = await #expect(throws: (any Error).self) { try await run("in/%d.png", "out/%d.png") }
    #expect("\(error as Any)".contains("out/2.png` is there already"), "\(error as Any)")
    #expect(try names("out") == ["2.png", "notes.txt"])
    try await run("in/%d.png", "out/%d.png", #", "start": 3"#)
    #expect(try names("out") == ["2.png", "3.png", "4.png", "notes.txt"])
    try await run("in/%d.png", "out/%d.png", #", "overwrite": true"#)
    #expect(try pixels(scratch.path("in/2.png")) == pixels(scratch.path("out/2.png")))
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path("out/notes.txt"))).count == 5)
  }

  /// Whatever is wrong with a file, the error names it.
  @Test func errorsNameTheFile() async throws {
    func failure(_ path: String, _ settings: String = "") async -> String {
      do {
        let report = try await pipeline(
          """
          { "nodes": { "in": { "type": "imageSequence", "path": "\(scratch.path(path))"\(settings) },
              "out": { "type": "nullSink" } }, "wires": ["in -> out"] }
          """
        ).run()
        return "\(report.failure.map { "\($0)" } ?? "")"
      } catch { return "\(error)" }
    }
    try makeFrames("%d.png", count: 4)
    #expect(await failure("in/%d.png") == "")
    #expect(await failure("in/%d.jpg").contains("no file is named as"))
    #expect(await failure("none/*.png").contains("no file is named as"))
    #expect(await failure("in/1.png").contains("names a single file"))
    #expect(await failure("in/*.png", #", "start": 2"#).contains("no numbers"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.path("in/3.png")))
    _ = try scratch.write(whole.prefix(200), to: "in/3.png")
    #expect(await failure("in/%d.png").contains("in/3.png` ends or breaks at byte "))
    _ = try scratch.write("no picture".utf8, to: "in/3.png")
    #expect(await failure("in/%d.png").contains("in/3.png` is no picture"))
    try FileManager.default.removeItem(atPath: scratch.path("in/3.png"))
    #expect(await failure("in/%d.png").contains("in/3.png` is missing"))
    try tool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=20x10", "-frames:v", "1"]
        + [scratch.path("in/3.png")])
    #expect(await failure("in/%d.png").contains("in/3.png` is 20x10"))
  }
}
