import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("thumbnails", .inTurn) struct ThumbnailsTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  private static let usual = "-c:v libx264 -preset veryfast -qp 14 -bf 3 -g 12"

  /// Three seconds of 25 frames each, of which none is like another.
  private func movie(_ name: String = "in.mp4", _ options: String = usual) throws -> String {
    let path = scratch.path(name)
    try ffmpeg("-f lavfi -i testsrc2=s=128x96:r=25:d=3", options, "-pix_fmt yuv420p", to: path)
    return path
  }

  private func run(
    _ input: String, _ output: String, _ settings: String, way: String = "f.video -> t"
  ) async throws -> Report {
    let all = way.contains("all") ? #""all": { "type": "trim" },"# : ""
    return try await reportOf(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" }, \(all)
                   "t": { "type": "thumbnails", "path": "\(output)", \(settings) } },
        "wires": ["\(way)"] }
      """)
  }

  @Test("each file is the frame on screen at its time", arguments: ["png", "jpg", "webp"])
  func files(_ ending: String) async throws {
    let input = try movie()
    let report = try await run(
      input, scratch.path("{number}.\(ending)"), #""times": [2.99, 0, 0.05, 1.52]"#)
    #expect(report.outputs.map(\.path) == (1...4).map { scratch.path("0000\($0).\(ending)") })
    let all = try DecodedFrames(of: input, 128, 96)
    let made = try DecodedFrames(of: scratch.path("%05d.\(ending)"), 128, 96)
    #expect(all.frames.count == 75)
    let found = made.frames.map(all.nearest)
    #expect(found.map(\.number) == [0, 1, 38, 74])
    #expect(found.allSatisfy { $0.psnr > 30 }, "\(found)")
  }

  @Test(
    "what is decoded is what these frames need, and gives the same",
    arguments: [
      "a.mp4 \(usual)",
      "b.mkv -c:v libx264 -preset veryfast -x264-params keyint=12:open-gop=1:bframes=4",
      "c.ogv -c:v libtheora -g 12",
    ])
  func onlyWhatIsNeeded(_ file: String) async throws {
    let words = file.split(separator: " ", maxSplits: 1).map(String.init)
    let input = try movie(words[0], words[1])
    let times = #""times": [0.5, 0.52, 1.6, 1.7]"#
    let picked = try await run(input, scratch.path("p{number}.png"), times)
    let whole = try await run(
      input, scratch.path("w{number}.png"), times, way: "f.video -> all -> t")
    let decoded = try #require(picked.wires.first { $0.key.hasPrefix("pick:t") }).value.samplesOut
    // Two groups of twelve of 75, and of the first what a codec's headers are in.
    #expect((20...30).contains(decoded), "\(decoded) packets were decoded")
    #expect(!whole.wires.keys.contains { $0.hasPrefix("pick") })
    for number in 1...4 {
      let (one, other) = (scratch.path("p0000\(number).png"), scratch.path("w0000\(number).png"))
      #expect(FileManager.default.contentsEqual(atPath: one, andPath: other), "\(number)")
    }
  }

  @Test(
    "where others get frames, too, or a part is read, all of it is decoded",
    arguments: [
      (#""f.video -> d -> t""#, "", true), (#""f.video -> d -> i -> t""#, "", true),
      (#""f.video -> d -> t", "d -> n""#, "", false),
      (#""f.video -> d -> t", "f.video -> n""#, "", true),
      (#""f.video -> d -> t""#, #", "duration": 2"#, false),
    ])
  func ways(_ wires: String, _ part: String, _ isPicked: Bool) throws {
    let input = try movie()
    let nodes = [
      ("n", #""n": { "type": "nullSink" }, "#), ("i", #""i": { "type": "invert" }, "#),
    ].filter { wires.contains("> \($0.0)") }.map(\.1).joined()
    let plan = try plan(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)"\(part) }, \(nodes)
                   "d": { "type": "decoder", "media": "video" },
                   "t": { "type": "thumbnails", "path": "\(scratch.path("{number}.png"))" } },
        "wires": [\(wires)] }
      """)
    #expect(plan.nodes.contains { $0.name == "pick:t" } == isPicked, "\(plan)")
  }

  @Test(
    "a row of times ends with the video, and a count is spread over it",
    arguments: [
      (#""every": 0.8"#, [0, 20, 40, 60]), (#""count": 3"#, [12, 37, 62]),
    ])
  func rows(_ settings: String, _ wanted: [Int]) async throws {
    let input = try movie()
    _ = try await run(input, scratch.path("{number}.png"), settings)
    let all = try DecodedFrames(of: input, 128, 96)
    let made = try DecodedFrames(of: scratch.path("%05d.png"), 128, 96)
    #expect(made.frames.map { all.nearest(to: $0).number } == wanted)
  }

  @Test("a count needs no length, and is near to even")
  func unknownLength() throws {
    let harness = NodeHarness(
      Thumbnails.with { ($0.path, $0.count) = (scratch.path("{number}.png"), 4) })
    for number in 0..<500 {
      let picture = RawPicture.plain(.i420, 32, 32, [UInt8(number / 2), 128, 128])
      try harness.push(picture.sample(at: Double(number) * 0.04))
    }
    try harness.finish()
    let made = try DecodedFrames(of: scratch.path("%05d.png"), 32, 32)
    let wanted = [62, 187, 312, 437].map { (number: Int) -> Double in
      Double(max(0, number / 2 - 16)) * 255 / 219
    }
    #expect(made.frames.count == 4)
    for (frame, level) in zip(made.frames, wanted) {
      #expect(abs(Double(frame[0]) - level) < 20, "\(frame[0]), not \(level)")
    }
  }

  @Test("a contact sheet has its pictures in rows, with space around each")
  func sheet() async throws {
    let input = try movie()
    let output = scratch.path("sheet.png")
    _ = try await run(
      input, output,
      #""layout": "sheet", "every": 0.6, "columns": 3, "width": 64, "background": "ff0000""#)
    // Five pictures of 64x48 in two rows, and 8 around each.
    #expect(try pictureSize(output) == "png,224,120")
    let sheet = try DecodedFrames(of: output, 224, 120).frames[0]
    let all = try DecodedFrames(of: input, 64, 48)
    for number in 0..<5 {
      let (x, y) = (8 + number % 3 * 72, 8 + number / 3 * 56)
      let picture = part(of: sheet, width: 224, x: x, y: y, (64, 48))
      #expect(all.nearest(to: picture).number == number * 15)
    }
    for (x, y) in [(0, 0), (4, 60), (75, 3), (180, 90), (223, 119)] {
      #expect(part(of: sheet, width: 224, x: x, y: y, (1, 1)) == [255, 0, 0], "\(x), \(y)")
    }
  }

  @Test("white is white in a JPEG, which is of full range")
  func fullRange() throws {
    for layout in [Thumbnails.Layout.files, .sheet] {
      let path = scratch.path("white-\(layout).jpg")
      let harness = NodeHarness(
        Thumbnails.with { ($0.path, $0.times, $0.layout) = (path, [0], layout) })
      #expect(throws: (any Error).self) {
        try harness.push(RawPicture.plain(.i420, 32, 32, [235, 128, 128]).sample())
      }
      try harness.finish()
      let frame = try DecodedFrames(of: path, 32, 32).frames[0]
      #expect(frame[16 * 32 * 3 + 48] > 250)
    }
  }

  @Test(
    "what doesn't fit is a problem of its key",
    arguments: [
      (#""path": "a.gif""#, "path"), (#""path": "a.jpg""#, "path"),
      (#""path": "{number}/a.jpg""#, "path"),
      (#""path": "{number}.jpg", "count": 2, "every": 1"#, "every"),
      (#""path": "a.jpg", "layout": "sheet", "rows": 2"#, "rows"),
      (#""path": "{number}.jpg", "layout": "sheet""#, "path"),
      (#""path": "{number}.jpg", "vtt": "a.vtt""#, "vtt"),
      (#""path": "{number}.jpg", "background": "red""#, "background"),
    ])
  func problems(_ settings: String, _ key: String) {
    let errors = #expect(throws: GraphErrors.self) {
      try plan(
        """
        { "nodes": { "f": { "type": "testVideo", "frames": 1 },
                     "t": { "type": "thumbnails", \(settings) } }, "wires": ["f -> t"] }
        """)
    }
    let keys = errors?.diagnostics.map(\.key) ?? []
    #expect(keys.contains(key) || key == "every" && keys.contains("count"), "\(keys)")
  }

  @Test("nothing is overwritten unasked, and nothing is left of what can't be made")
  func protections() async throws {
    var node = Thumbnails.with { $0.path = "a/{number}.jpg" }
    var environment = FakeEnvironment(
      places: ["a/7.jpg": .file], folders: ["a/": ["7.jpg", "other.txt"]])
    #expect(throws: NodeError.self) { try node.resolve(in: environment) }
    node.overwrite = true
    #expect(throws: Never.self) { try node.resolve(in: environment) }
    node = Thumbnails.with { ($0.path, $0.layout) = ("s.jpg", .sprite) }
    environment = FakeEnvironment(places: ["s.vtt": .file])
    #expect(throws: NodeError.self) { try node.resolve(in: environment) }
    environment = FakeEnvironment(installed: [])
    let missing = #expect(throws: NodeError.self) { try node.resolve(in: environment) }
    #expect(missing?.message.contains("jpegenc") == true)

    let report = try await run(try movie(), scratch.path("{number}.png"), #""times": [3.5, 4]"#)
    #expect(report.state == .failed)
    #expect(report.failure?.message.contains("ends at 3.0 s") == true, "\(report.failure as Any)")
    #expect(report.outputs.isEmpty)
    let part = try await run(
      try movie(), scratch.path("{number}.png"), #""times": [0.5, 4]"#)
    #expect(part.state == .completed && part.outputs.count == 1)
    #expect(part.warnings?.first?.message.contains("no picture of 4.0 s") == true)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("00002.png")))
  }

  @Test("a sheet that no file can hold is refused before it is drawn")
  func tooLarge() throws {
    let harness = NodeHarness(
      Thumbnails.with {
        ($0.path, $0.layout, $0.every) = (scratch.path("a.webp"), .sheet, 0.001)
        ($0.columns, $0.width) = (1, 64)
      })
    let error = #expect(throws: NodeError.self) {
      for number in 0..<400 {
        let time = Double(number)
        try harness.push(RawPicture.plain(.i420, 64, 64, [9, 9, 9]).sample(at: time, lasting: 1))
      }
    }
    #expect(error?.message.contains("too large for a file of webp") == true, "\(error as Any)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("a.webp")))
  }
}
