import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("concat", .inTurn) struct ConcatTests {
  private let mono = AudioFormat(.f32, sampleRate: 1_000, channels: 1)
  private let parts = ["video", "video.2", "audio", "audio.2"]

  private func node() -> Concat {
    Concat.with { ($0.sampleRate, $0.channels) = (1_000, 1) }
  }

  private func frame(_ level: UInt8, at time: Double, size: Int = 4) throws -> SampleBuffer {
    try RawPicture.plain(.i420, size, size, [level, 128, 128]).sample(at: time, lasting: 0.04)
  }

  /// The level of the first pixel, and the time and length in milliseconds.
  private func rows(_ harness: NodeHarness<Concat>) throws -> [[Double]] {
    try harness.samples(of: "video").map { sample in
      [Double(try #require(RawPicture(sample)).planes[0][0][0])]
        + [sample.presentationTime, sample.duration].map { ($0.seconds * 1000).rounded() }
    }
  }

  @Test("audio that ends early is silent until the part ends, and the next part begins there")
  func shortAudio() throws {
    let harness = NodeHarness(node(), inputs: parts)
    try harness.push([Float](repeating: 1, count: 50), format: mono, to: "audio")
    try harness.finish("audio")
    for number in 0..<3 { try harness.push(frame(10, at: Double(number) * 0.04), to: "video") }
    try harness.finish("video")
    try harness.push([Float](repeating: 2, count: 40), format: mono, to: "audio.2")
    try harness.push(frame(20, at: 0), to: "video.2")
    try harness.finish()
    let wanted =
      [Float](repeating: 1, count: 50) + [Float](repeating: 0, count: 70)
      + [Float](repeating: 2, count: 40)
    #expect(try harness.values(as: Float.self, of: "audio") == wanted)
    #expect(
      try rows(harness) == [[10, 0, 40], [10, 40, 40], [10, 80, 40], [20, 120, 40]])
  }

  @Test("video that ends early shows its last frame for as long as whole ones fit")
  func shortVideo() throws {
    let harness = NodeHarness(node(), inputs: parts)
    try harness.push(frame(10, at: 0), to: "video")
    try harness.finish("video")
    try harness.push([Float](repeating: 1, count: 130), format: mono, to: "audio")
    try harness.finish("audio")
    try harness.push(frame(20, at: 0, size: 8), to: "video.2")
    try harness.finish()
    #expect(
      try rows(harness) == [[10, 0, 40], [10, 40, 40], [10, 80, 40], [20, 130, 40]])
    // Frames of another size become as large as the first.
    #expect(try harness.formats(of: "video").count == 1)
    #expect(try harness.values(as: Float.self, of: "audio").count == 170)
  }

  @Test("a part without video is shown with the last frame, and at the beginning in black")
  func withoutVideo() throws {
    let sized = Concat.with {
      ($0.sampleRate, $0.channels, $0.width, $0.height) = (1_000, 1, 4, 4)
    }
    let harness = NodeHarness(sized, inputs: ["video.2", "audio", "audio.3"])
    try harness.push([Float](repeating: 1, count: 80), format: mono, to: "audio")
    try harness.finish("audio")
    try harness.push(frame(20, at: 0), to: "video.2")
    try harness.finish("video.2")
    try harness.push([Float](repeating: 3, count: 40), format: mono, to: "audio.3")
    try harness.finish()
    #expect(
      try rows(harness) == [[16, 0, 40], [16, 40, 40], [20, 80, 40], [20, 120, 40]])
    #expect(
      try harness.values(as: Float.self, of: "audio")
        == [Float](repeating: 1, count: 80) + [Float](repeating: 0, count: 40)
        + [Float](repeating: 3, count: 40))
  }

  @Test("a size of a single side, and a gap of more than a day, are refused")
  func refused() throws {
    #expect(Concat.with { $0.width = 640 }.problem?.key == "width")
    let harness = NodeHarness(node(), inputs: ["video"])
    try harness.push(frame(10, at: 0))
    try harness.push(frame(10, at: 1))
    #expect(try rows(harness).count == 2)
    let late = NodeHarness(node(), inputs: ["video"])
    #expect(throws: NodeError.self) { try late.push(frame(10, at: 1e6)) }
  }

  @Test("what can't wait for its turn is refused by the check")
  func turns() throws {
    func message(_ nodes: String, _ wires: String) throws -> String {
      let errors = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { \(nodes), "j": { "type": "concat" }, "n": { "type": "nullSink" } },
            "wires": [\(wires), "j.video -> n"] }
          """)
      }
      return errors.map { "\($0)" } ?? ""
    }
    let shared = try message(
      #""t": { "type": "testVideo", "seconds": 1 }"#, #""t -> j.video", "t -> j.video.2""#)
    #expect(shared.contains("`t` feeds `j.video` and `j.video.2`"), "\(shared)")
    let live = try message(
      #""t": { "type": "testVideo", "seconds": 1 }, "c": { "type": "testVideo", "live": true }"#,
      #""t -> j.video", "c -> j.video.2""#)
    #expect(live.contains("`c` is live, and `j.video.2` would have it wait"), "\(live)")
  }
}
