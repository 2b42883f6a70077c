import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("frameRate", .inTurn) struct FrameRateTests {
  private func plain(_ luma: Int) -> RawPicture {
    .plain(.i420, 4, 4, [UInt8(luma), 128, 128])
  }

  /// Frames of the lumas 10, 20, 30 … at some rate, their times rounded as files round them.
  private func paced(
    _ rate: Rational, _ method: FrameRate.Method, from old: Double, count: Int,
    rounding: Double = 1e9
  ) throws -> [CollectedSample] {
    let harness = NodeHarness(FrameRate.with { ($0.frameRate, $0.method) = (rate, method) })
    for number in 0..<count {
      let time = (Double(number) / old * rounding).rounded() / rounding
      try harness.push(plain(10 + number * 10).sample(at: time, lasting: 1 / old))
    }
    try harness.finish()
    return try harness.samples()
  }

  private func luma(_ samples: [CollectedSample]) throws -> [Int] {
    try samples.map { Int(try #require(RawPicture($0)).planes[0][0][0]) }
  }

  @Test("frames are left out, or repeated, and times are exact")
  func choice() throws {
    let fewer = try paced(Rational(10), .choose, from: 30, count: 12)
    #expect(try luma(fewer) == [10, 40, 70, 100])
    let more = try paced(Rational(25), .choose, from: 10, count: 4)
    #expect(try luma(more) == [10, 10, 10, 20, 20, 30, 30, 30, 40, 40])
    let film = try #require(Rational(24_000, over: 1001))
    for (number, sample) in try paced(film, .choose, from: 30, count: 24).enumerated() {
      let time = MediaTime(value: Int64(number) * 1001, timescale: 24_000)
      #expect(sample.presentationTime.nanoseconds == time.nanoseconds)
      guard case .video(let video) = sample.format else { throw Skipped() }
      #expect(video.frameRate == film)
    }
  }

  private struct Skipped: Error {}

  @Test("times that a file rounds to milliseconds repeat nothing")
  func rounded() throws {
    let samples = try paced(Rational(30), .choose, from: 30, count: 20, rounding: 1000)
    #expect(try luma(samples) == (0..<20).map { 10 + $0 * 10 })
  }

  @Test("a mix has of each frame what is on screen of it")
  func blend() throws {
    // Three frames become one; then, of 25 a second, one and a quarter.
    #expect(
      try luma(paced(Rational(10), .blend, from: 30, count: 12)) == [20, 50, 80, 110])
    let quarter = try luma(paced(Rational(20), .blend, from: 25, count: 10))
    #expect(quarter == [12, 24, 36, 48, 62, 74, 86, 98])
    // More frames are on the way from one to the next.
    #expect(
      try luma(paced(Rational(20), .blend, from: 10, count: 3)) == [10, 15, 20, 25, 30, 30])
  }

  @Test("the frames are those of ffmpeg's fps", arguments: ["12", "24000/1001", "60", "50"])
  func likeFFmpeg(_ rate: String) async throws {
    let folder = try TestFolder()
    let (input, output, other) = (
      folder.path("in.mkv"), folder.path("out.mkv"), folder.path("ref.raw")
    )
    try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=2 -c:v ffv1 -pix_fmt yuv420p", to: input)
    let report = try await pipeline(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" }, "d": { "type": "decoder", "media": "video" },
                   "r": { "type": "frameRate", "frameRate": "\(rate.contains("/") ? rate : rate + "/1")" },
                   "raw": { "type": "gst", "element": "filesink", "properties": { "location": "\(output)" } } },
        "wires": ["f.video -> d -> r -> raw"] }
      """
    ).run()
    #expect(report.state == .completed)
    try ffmpeg("-i \(input) -vf fps=\(rate):round=up -pix_fmt yuv420p -f rawvideo", to: other)
    let (ours, theirs) = (
      try Data(contentsOf: URL(filePath: output)), try Data(contentsOf: URL(filePath: other))
    )
    let size = 64 * 48 * 3 / 2
    // ffmpeg may have one less at the end.
    #expect(abs(ours.count - theirs.count) <= size, "\(ours.count / size) \(theirs.count / size)")
    let common = min(ours.count, theirs.count)
    #expect(ours.prefix(common) == theirs.prefix(common) && common > 20 * size)
  }

  @Test("a frame of another size leaves as it is", arguments: [FrameRate.Method.choose, .blend])
  func otherSize(_ method: FrameRate.Method) throws {
    let harness = NodeHarness(FrameRate.with { ($0.frameRate, $0.method) = (Rational(20), method) })
    for number in 0..<8 {
      let (edge, luma) = (number < 4 ? 8 : 4, UInt8(10 + number * 10))
      let picture = RawPicture.plain(.i420, edge, edge, [luma, 128, 128])
      try harness.push(picture.sample(at: Double(number) / 10, lasting: 0.1))
    }
    try harness.finish()
    let pictures = try harness.samples().map { try #require(RawPicture($0)) }
    #expect(pictures.map { $0.planes[0].count } == (0..<16).map { $0 < 8 ? 8 : 4 })
    for (number, picture) in pictures.enumerated() {
      // Between two frames of one size there is the mean of them.
      let isMean = method == .blend && number % 2 == 1 && number != 7 && number != 15
      let luma = 10 + number / 2 * 10 + (isMean ? 5 : 0)
      #expect(picture.planes[0].joined().allSatisfy { $0 == luma })
      #expect(picture.planes[1].joined().allSatisfy { $0 == 128 })
    }
  }

  @Test("a gap of a day is an error, and time that goes back is none")
  func strangeTimes() throws {
    let harness = NodeHarness(FrameRate())
    try harness.push(plain(20).sample(at: 1))
    try harness.push(plain(30).sample(at: 0.5))
    let error = #expect(throws: NodeError.self) { try harness.push(self.plain(40).sample(at: 1e6)) }
    #expect(error?.message.contains("no frame came for") == true)
    #expect(FrameRate.with { $0.frameRate = Rational(2000) }.problem?.key == "frameRate")
  }
}
