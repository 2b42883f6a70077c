import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("reverse", .inTurn) struct ReverseTests {
  private let stereo = AudioFormat(.f32, sampleRate: 1_000, channels: 2)

  @Test("audio is the same, sample by sample from its end", arguments: [1, 7, 100])
  func audio(_ blocks: Int) throws {
    let harness = NodeHarness(Reverse.with { $0.media = .audio })
    let values = (0..<200).map { Float($0) }
    for start in stride(from: 0, to: 200, by: blocks * 2) {
      try harness.push(Array(values[start..<min(200, start + blocks * 2)]), format: stereo)
    }
    try harness.finish()
    var wanted: [Float] = []
    for frame in (0..<100).reversed() { wanted += [values[frame * 2], values[frame * 2 + 1]] }
    #expect(try harness.values(as: Float.self) == wanted)
    let samples = try harness.samples()
    var time = 0
    for sample in samples {
      #expect(abs(sample.presentationTime.seconds * 1000 - Double(time)) < 1e-3)
      time += sample.sample.frameCount
    }
  }

  private func rows(_ node: Reverse, lasting: [Double]) throws -> [[Double]] {
    let harness = NodeHarness(node)
    var time = 0.0
    for (number, length) in lasting.enumerated() {
      let picture = RawPicture.plain(.i420, 4, 4, [UInt8(number), 128, 128])
      try harness.push(picture.sample(at: time, lasting: length))
      time += length
    }
    try harness.finish()
    return try harness.samples().map { sample in
      [Double(try #require(RawPicture(sample)).planes[0][0][0])]
        + [sample.presentationTime, sample.duration].map { ($0.seconds * 1000).rounded() }
    }
  }

  @Test("frames are on screen as long as they were, from the last on")
  func video() throws {
    #expect(
      try rows(Reverse(), lasting: [0.04, 0.1, 0.02]) == [
        [2, 0, 20], [1, 20, 100], [0, 120, 40],
      ])
    // Two streams that turn at one second: what ends earlier begins later, and what is over is cut.
    let turned = Reverse.with { $0.length = 1 }
    #expect(try rows(turned, lasting: [0.5, 0.4]) == [[1, 100, 400], [0, 500, 500]])
    #expect(try rows(turned, lasting: [0.7, 0.4, 0.4]) == [[1, 0, 300], [0, 300, 700]])
  }

  @Test("what doesn't fit into memory is refused, and so is a live source")
  func limits() throws {
    let harness = NodeHarness(Reverse.with { $0.memory = 1 })
    let picture = RawPicture.plain(.bgra, 320, 320, [1, 2, 3, 255])
    let error = #expect(throws: NodeError.self) {
      for number in 0..<3 { try harness.push(picture.sample(at: Double(number))) }
    }
    #expect(error?.message.hasPrefix("2.0 s take 1 MB") == true && error?.key == "memory")
    let errors = #expect(throws: GraphErrors.self) {
      try plan(
        """
        { "nodes": { "c": { "type": "testVideo", "live": true }, "r": { "type": "reverse" },
                     "n": { "type": "nullSink" } }, "wires": ["c -> r -> n"] }
        """)
    }
    #expect(errors.map { "\($0)".contains("c") } == true)
  }

  @Test("nothing comes of nothing")
  func empty() throws {
    let harness = NodeHarness(Reverse())
    try harness.finish()
    #expect(try harness.samples().isEmpty)
  }
}
