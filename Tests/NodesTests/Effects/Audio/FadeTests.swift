import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("fade", .inTurn) struct FadeTests {
  private let format = AudioFormat(.f32, sampleRate: 1000, channels: 1)

  private func gains(_ fade: Fade, frames: Int) throws -> [Double] {
    try outputOfEveryCut(of: [Float](repeating: 1, count: frames), format: format) { fade }
      .map(Double.init)
  }

  @Test("follows its curve to the sample", arguments: Fade.Curve.allCases)
  func curves(curve: Fade.Curve) throws {
    var fade = Fade()
    (fade.fadeIn, fade.fadeOutAt, fade.fadeOut, fade.curve) = (0.1, 0.25, 0.05, curve)
    func wanted(_ x: Double) -> Double {
      switch curve {
      case .linear: x
      case .equalPower: sin(x * .pi / 2)
      case .exponential: x == 0 ? 0 : pow(10, -3 + 3 * x)
      }
    }
    let found = try gains(fade, frames: 400)
    for (frame, gain) in found.enumerated() {
      let (rising, falling) = (min(1, Double(frame) / 100), 1 - Double(frame - 250) / 50)
      let expected = wanted(rising) * wanted(max(0, min(1, falling)))
      #expect(abs(gain - expected) < 1e-6, "frame \(frame)")
    }
    #expect(found[0] == 0 && found[100...250].allSatisfy { $0 == 1 })
    #expect(found[249] == 1 && found[251] < 1 && found[300...].allSatisfy { $0 == 0 })
  }

  @Test("two equal powers add up to one")
  func equalPower() {
    for step in 0...10 {
      let x = Double(step) / 10
      let (up, down) = (sin(x * .pi / 2), sin((1 - x) * .pi / 2))
      #expect(abs(up * up + down * down - 1) < 1e-12)
    }
  }

  @Test("counts times from the first sample, over gaps")
  func times() throws {
    var fade = Fade()
    fade.fadeIn = 1
    let harness = NodeHarness(fade)
    let description = try FormatDescription(.audio(format))
    for start in [5000, 5500] {
      try harness.push(SampleBuffer(pcm: [1, 1] as [Float], format: description, start: start))
    }
    let wanted: [Float] = [0, 0.001, 0.5, 0.501]
    #expect(zip(try harness.values(as: Float.self), wanted).allSatisfy { abs($0 - $1) < 1e-7 })
  }

  @Test("an end that nobody knows must be given")
  func problem() {
    var fade = Fade()
    fade.fadeOut = 2
    #expect(fade.problem?.key == "fadeOut")
    fade.fadeOutAt = 10
    #expect(fade.problem == nil)
  }
}
