import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("equalizer", .inTurn) struct EqualizerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var band: EqualizerBand
    var testDescription: String { "\(band.shape) \(band.frequency) Hz \(band.gain) dB" }
  }

  static let cases = [
    EqualizerBand(.highPass, frequency: 80), EqualizerBand(.lowPass, frequency: 9000, q: 2),
    EqualizerBand(.lowShelf, frequency: 200, gain: 9),
    EqualizerBand(.highShelf, frequency: 6000, gain: -12, q: 0.5),
    EqualizerBand(.peak, frequency: 2500, gain: 6, q: 1.4),
    EqualizerBand(.peak, frequency: 18_000, gain: -20, q: 8),
    EqualizerBand(.notch, frequency: 1000, q: 4),
  ].map { Case(band: $0) }

  /// The gain of the analogue filter that the cookbook gives for each shape, at the frequency that
  /// the bilinear transform takes to `frequency`: s = j tan(w/2) / tan(w0/2).
  private func gain(of band: EqualizerBand, at frequency: Double, rate: Double) -> Double {
    let u = tan(.pi * frequency / rate) / tan(.pi * band.frequency / rate)
    let (a, q) = (pow(10, band.gain / 40), band.q)
    /// |c2 s² + c1 s + c0| for s = ju.
    func size(_ c2: Double, _ c1: Double, _ c0: Double) -> Double { hypot(c0 - c2 * u * u, c1 * u) }
    return switch band.shape {
    case .lowPass: size(0, 0, 1) / size(1, 1 / q, 1)
    case .highPass: size(1, 0, 0) / size(1, 1 / q, 1)
    case .notch: size(1, 0, 1) / size(1, 1 / q, 1)
    case .peak: size(1, a / q, 1) / size(1, 1 / (a * q), 1)
    case .lowShelf: a * size(1, a.squareRoot() / q, a) / size(a, a.squareRoot() / q, 1)
    case .highShelf: a * size(a, a.squareRoot() / q, 1) / size(1, a.squareRoot() / q, a)
    }
  }

  /// The gain at a frequency by the transform of an impulse's response.
  private func gain(of response: [Double], at frequency: Double, rate: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (frame, value) in response.enumerated() {
      let angle = 2 * .pi * frequency * Double(frame) / rate
      real += value * cos(angle)
      imaginary -= value * sin(angle)
    }
    return hypot(real, imaginary)
  }

  @Test("has the response of the cookbook's filters", arguments: cases)
  func response(_ one: Case) throws {
    let rate = 48_000.0
    let harness = NodeHarness(Equalizer([one.band]))
    var impulse = [Float](repeating: 0, count: 4096)
    impulse[0] = 1
    try harness.push(impulse, format: AudioFormat(.f32, sampleRate: 48_000, channels: 1))
    let response = try harness.values(as: Float.self).map(Double.init)
    for frequency in [20, 80, 100, 200, 500, 1100, 2500, 6000, 9000, 18_000, 22_000.0] {
      let found = gain(of: response, at: frequency, rate: rate)
      let wanted = gain(of: one.band, at: frequency, rate: rate)
      #expect(abs(found - wanted) < 2e-5 * max(1, wanted), "at \(frequency) Hz")
    }
  }

  @Test("gives the stated gains where they can be read off the page")
  func landmarks() throws {
    func gain(_ band: EqualizerBand, at frequency: Double) -> Double {
      20 * log10(self.gain(of: band, at: frequency, rate: 48_000))
    }
    #expect(abs(gain(EqualizerBand(.peak, frequency: 1000, gain: 6), at: 1000) - 6) < 1e-9)
    #expect(abs(gain(EqualizerBand(.lowShelf, frequency: 200, gain: 9), at: 200) - 4.5) < 1e-9)
    #expect(abs(gain(EqualizerBand(.highPass, frequency: 80), at: 80) + 3.0103) < 1e-4)
  }

  @Test("keeps channels apart", arguments: ChannelLayout.allCases)
  func channels(layout: ChannelLayout) throws {
    let format = AudioFormat(.f32, sampleRate: 48_000, channels: 2, layout: layout)
    let noise = AudioSignal.noise(seed: 8).values(0..<1000, sampleRate: 48_000)
    let both: [Float] = noise.flatMap { [$0, 0] as [Float] }
    let out = try outputOfEveryCut(of: both, format: format) {
      Equalizer([EqualizerBand(.lowShelf, frequency: 300, gain: 12)])
    }
    let alone = try outputOfEveryCut(
      of: noise, format: AudioFormat(.f32, sampleRate: 48_000, channels: 1)
    ) { Equalizer([EqualizerBand(.lowShelf, frequency: 300, gain: 12)]) }
    #expect(out == alone.flatMap { [$0, 0] as [Float] })
  }

  @Test("new bands come in 10 ms, without a click")
  func live() throws {
    let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)
    let tone = AudioSignal.tone(hertz: 100).values(0..<4800, sampleRate: 48_000)
    let harness = NodeHarness(Equalizer([EqualizerBand(.peak, frequency: 100, gain: 0)]))
    try harness.push(Array(tone[..<1200]), format: format)
    let louder = EqualizerBand(.peak, frequency: 100, gain: 12, q: 0.5)
    #expect(harness.set("bands", to: .array([louder.json])))
    #expect(!harness.set("bands", to: .array([.object(["type": .string("peak")])])))
    try harness.push(Array(tone[1200...]), format: format)
    let out = try harness.values(as: Float.self)
    // The tone at four times its level has steps of at most 2 * 2 pi 100 / 48000.
    let steps = zip(out, out.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 < 0.04)
    let last = out.suffix(480).map(abs).max() ?? 0
    #expect(last > 1.95 && last < 2.05)
  }

  @Test("a live change to where nothing is ends no run")
  func liveBeyond() throws {
    let format = AudioFormat(.f32, sampleRate: 8000, channels: 1)
    let noise = AudioSignal.noise(seed: 2).values(0..<400, sampleRate: 8000)
    let harness = NodeHarness(Equalizer([EqualizerBand(.peak, frequency: 500, gain: 9)]))
    try harness.push(noise, format: format)
    #expect(harness.set("bands", to: .array([EqualizerBand(.lowPass, frequency: 9000).json])))
    try harness.push(noise, format: format)
    let out = try harness.values(as: Float.self)
    #expect(Array(out[500...]) == Array(noise[100...]) && out[..<400] != noise[...])
  }

  @Test("says which band lies above half of the sampling rate")
  func nyquist() throws {
    let node = Equalizer([
      EqualizerBand(.peak, frequency: 100), EqualizerBand(.peak, frequency: 9000),
    ])
    let error = node.problem(formats: ["in": .audio(sampleRates: [16_000])])
    #expect(error?.key == "bands[1].frequency")
    #expect(node.problem(formats: ["in": .audio(sampleRates: [48_000])]) == nil)
    #expect(throws: NodeError.self) {
      try NodeHarness(node).push(
        [0] as [Float], format: AudioFormat(.f32, sampleRate: 16_000, channels: 1))
    }
  }
}
