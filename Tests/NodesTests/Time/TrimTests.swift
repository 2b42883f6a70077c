import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("trim", .inTurn) struct TrimTests {
  private let mono = AudioFormat(.f32, sampleRate: 1_000, channels: 1)

  private func trimmed(_ range: Range<Int>, blocks: Int) throws -> (values: [Float], start: Double)
  {
    let harness = NodeHarness(
      Trim.with {
        ($0.media, $0.from) = (.audio, Double(range.lowerBound) / 1000)
        $0.to = range.upperBound == .max ? nil : Double(range.upperBound) / 1000
      })
    let values = (0..<200).map { Float($0) }
    do {
      for start in stride(from: 0, to: 200, by: blocks) {
        try harness.push(Array(values[start..<min(200, start + blocks)]), format: mono)
      }
    } catch is FlowStopped {}
    try harness.finish()
    let samples = try harness.samples()
    return (
      samples.flatMap { $0.values(as: Float.self) }, samples.first?.presentationTime.seconds ?? -1
    )
  }

  @Test("audio is exact to the sample, however it is cut", arguments: [1, 7, 64, 200])
  func audio(_ blocks: Int) throws {
    for range in [33..<151, 0..<1, 199..<200, 64..<128, 10..<Int.max] {
      let (values, start) = try trimmed(range, blocks: blocks)
      #expect(values == (range.lowerBound..<min(200, range.upperBound)).map { Float($0) })
      #expect(start == 0)
    }
    #expect(try trimmed(300..<400, blocks: blocks).values.isEmpty)
  }

  @Test("video begins with what is on screen, for as long as it is, and ends at its end")
  func video() throws {
    let harness = NodeHarness(Trim.with { ($0.from, $0.duration) = (0.1, 0.2) })
    #expect(throws: FlowStopped.self) {
      for number in 0..<20 {
        let picture = RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128])
        try harness.push(picture.sample(at: Double(number) * 0.04))
      }
    }
    try harness.finish()
    let samples = try harness.samples()
    let rows = try samples.map { sample in
      [Double(try #require(RawPicture(sample)).planes[0][0][0])]
        + [sample.presentationTime, sample.duration].map { ($0.seconds * 1000).rounded() }
    }
    #expect(
      rows == [
        [2, 0, 20], [3, 20, 40], [4, 60, 40], [5, 100, 40], [6, 140, 40], [7, 180, 20],
      ])
  }

  /// As decoders give them of frames of variable rate that are decoded in another order.
  @Test("a frame that says that it is longer than until the next takes none away")
  func wrongLengths() throws {
    let harness = NodeHarness(Trim.with { ($0.from, $0.to) = (0.05, 0.2) })
    #expect(throws: FlowStopped.self) {
      for number in 0..<8 {
        var sample = try RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128])
          .sample(at: Double(number) * 0.04)
        if number == 2 { sample.duration = MediaTime(value: 8, timescale: 10) }
        try harness.push(sample)
      }
    }
    try harness.finish()
    let frames = try harness.samples().map { sample in
      [Double(try #require(RawPicture(sample)).planes[0][0][0]), sample.duration.seconds * 1_000]
        .map { $0.rounded() }
    }
    #expect(frames == [[1, 30], [2, 40], [3, 40], [4, 40]])
  }

  @Test("a part at a frame's own time begins with it, and one of no frames is empty")
  func edges() throws {
    for (from, wanted) in [(0.08, [2, 3]), (0.118, [2, 3]), (0.1195, [3]), (0.5, [])] {
      let harness = NodeHarness(Trim.with { $0.from = from })
      for number in 0..<4 {
        let picture = RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128])
        try harness.push(picture.sample(at: Double(number) * 0.04))
      }
      try harness.finish()
      let lumas = try harness.samples().map { Int(try #require(RawPicture($0)).planes[0][0][0]) }
      #expect(lumas == wanted, "\(from)")
    }
  }

  @Test("a frame without a time begins where the one before it ends")
  func untimed() throws {
    let harness = NodeHarness(Trim.with { ($0.from, $0.to) = (0.04, 0.12) })
    #expect(throws: FlowStopped.self) {
      for number in 0..<5 {
        var sample = try RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128])
          .sample(at: Double(number) * 0.04)
        if number % 2 == 1 { sample.presentationTime = .invalid }
        try harness.push(sample)
      }
    }
    try harness.finish()
    let lumas = try harness.samples().map { Int(try #require(RawPicture($0)).planes[0][0][0]) }
    #expect(lumas == [1, 2])
  }

  @Test("parts that can't be are problems of their keys")
  func problems() {
    #expect(Trim.with { ($0.from, $0.to) = (2, 2) }.problem?.key == "to")
    #expect(Trim.with { ($0.to, $0.duration) = (2, 2) }.problem?.key == "duration")
    #expect(Trim.with { ($0.from, $0.duration) = (2, 0) }.problem?.key == "duration")
    #expect(Trim.with { ($0.from, $0.duration) = (2, 0.5) }.problem == nil)
  }

  /// The nodes before it have samples left when the part is over, which nothing takes.
  @Test(
    "after nodes that hold samples back",
    arguments: [#""limiter""#, #""reverse""#, #""speed", "speed": 0.5"#, #""loudnessNormalize""#])
  func heldBack(node: String) async throws {
    let scratch = try TestFolder()
    let output = scratch.path("part.wav")
    let report = try await reportOf(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 3 }, "held": { "type": \(node) },
                   "part": { "type": "trim", "to": 1 },
                   "sink": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["tone -> held -> part -> sink"] }
      """)
    #expect(report.state == .completed, "\(report.failure as Any)")
    #expect(try decodedSound(of: output).count == 48_000)
  }

  @Test("a part from before a late stream is empty, which is said")
  func beforeTheBeginning() async throws {
    let scratch = try TestFolder()
    let path = scratch.path("late.mkv")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -f lavfi -i sine=d=6 -vf setpts=PTS+3/TB", to: path)
    let report = try await reportOf(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
                   "part": { "type": "trim", "from": 0.5, "to": 1.5 },
                   "out": { "type": "nullSink" } },
        "wires": ["in.video -> d -> part -> out"] }
      """)
    let found = (report.warnings ?? []).map(\.message)
    #expect(
      found.contains { $0.hasPrefix("the stream begins at 3.") && $0.hasSuffix("it is empty") })
  }

  @Test("a part from after the end is empty, which is said")
  func afterTheEnd() async throws {
    let scratch = try TestFolder()
    let report = try await reportOf(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
                   "part": { "type": "trim", "from": 2 },
                   "sink": { "type": "wavSink", "path": "\(scratch.path("part.wav"))" } },
        "wires": ["tone -> part -> sink"] }
      """)
    let found = (report.warnings ?? []).map { "\($0)" }
    let words = "ends at 1.0 s, and the part begins at 2.0 s: it is empty"
    #expect(found.count { $0.contains(words) } == 1, "\(found)")
  }
}
