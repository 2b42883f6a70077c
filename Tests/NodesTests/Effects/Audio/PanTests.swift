import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("pan", .inTurn) struct PanTests {
  private let mono = AudioFormat(.f32, sampleRate: 48_000, channels: 1)
  private let stereo = AudioFormat(.f32, sampleRate: 48_000, channels: 2)

  @Test("places mono at constant power", arguments: [-1.0, -0.5, 0, 0.25, 1])
  func constantPower(position: Double) throws {
    let harness = NodeHarness(Pan(position: position))
    try harness.push([1, -0.5] as [Float], format: mono)
    let values = try harness.values(as: Float.self).map(Double.init)
    let angle = (position + 1) * .pi / 4
    let wanted = [cos(angle), sin(angle), -0.5 * cos(angle), -0.5 * sin(angle)]
    #expect(zip(values, wanted).allSatisfy { abs($0 - $1) < 1e-7 } && values.count == 4)
    #expect(abs(values[0] * values[0] + values[1] * values[1] - 1) < 1e-6)
    #expect(try harness.formats() == [.audio(stereo)])
  }

  @Test("turns down the channel that stereo moves away from")
  func balance() throws {
    for (position, left, right) in [(-1.0, 1.0, 0.0), (0.5, cos(.pi / 4), 1), (1, 0, 1)] {
      let harness = NodeHarness(Pan(position: position))
      try harness.push([1, 1] as [Float], format: stereo)
      let values = try harness.values(as: Float.self).map(Double.init)
      #expect(abs(values[0] - left) < 1e-7 && abs(values[1] - right) < 1e-7)
    }
  }

  @Test("keeps planar sound planar, whole numbers whole, and all times")
  func planarIntegers() throws {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 1, layout: .planar)
    let harness = NodeHarness(Pan(position: -1))
    try harness.push(Array(repeating: Int16(0), count: 480), format: format)
    try harness.push([100, 200] as [Int16], format: format)
    let last = try #require(try harness.samples().last)
    #expect(last.values(as: Int16.self) == [100, 200, 0, 0])
    #expect(last.presentationTime == MediaTime(value: 1, timescale: 100))
    #expect(last.duration == MediaTime(nanoseconds: 41_667))
  }

  @Test("a change takes 10 ms, without a step")
  func live() throws {
    let harness = NodeHarness(Pan(position: 0))
    try harness.push([1, 1] as [Float], format: stereo)
    #expect(harness.set("position", to: .number(1)))
    try harness.push([Float](repeating: 1, count: 1000), format: stereo)
    let left = try harness.values(as: Float.self).enumerated().filter { $0.offset % 2 == 0 }
      .map(\.element)
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($0 - $1) <= 1 / 479 })
    #expect(left[481] < 1e-6 && left[241] > 0.49 && left[241] < 0.51)
  }

  @Test("refuses other numbers of channels, and says what to do")
  func refusal() throws {
    let harness = NodeHarness(Pan())
    let error = #expect(throws: NodeError.self) {
      try harness.push(
        [Float](repeating: 0, count: 6), format: AudioFormat(.f32, sampleRate: 48_000, channels: 6))
    }
    #expect(error?.remedy.contains("audioConvert") == true)
  }
}
