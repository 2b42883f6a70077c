import GraphKit
import Glibc

/// Makes sound louder or softer.
public struct Gain: AudioEffect {
  /// How much louder, in decibels; softer where it is negative.
  public var decibels = 0.0 { didSet { factor = Float(pow(10, decibels / 20)) } }
  private var factor: Float = 1
  private var sampleFormat = SampleFormat.f32

  /// A gain of 0 dB, which changes nothing.
  public init() {}

  /// A gain.
  public init(decibels: Double) {
    self.decibels = decibels
    factor = Float(pow(10, decibels / 20))
  }

  public static let declaration = NodeDeclaration<Gain>(
    "gain", role: .effect, help: "Makes sound louder or softer.",
    example: "microphone -> gain -> encoder",
    parameters: [
      .number(
        "decibels", \.decibels, in: -144...48, unit: "dB", live: true,
        help: "How much louder; softer where negative.")
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public mutating func prepare(_ format: AudioFormat) throws {
    guard format.sampleFormat == .f32 || format.sampleFormat == .s16 else {
      throw NodeError(
        "gain works on f32 and s16, not on \(format.sampleFormat.rawValue)",
        remedy: "put an audioConvert before it", key: "in")
    }
    sampleFormat = format.sampleFormat
  }

  public mutating func process(_ block: inout AudioBlock) throws {
    guard factor != 1 else { return }
    if sampleFormat == .f32 {
      scale(block.samples(as: Float.self))
    } else {
      scaleSaturating(block.samples(as: Int16.self))
    }
  }

  private func scale(_ samples: consuming MutableSpan<Float>) {
    let factor = factor
    for index in samples.indices { samples[index] *= factor }
  }

  private func scaleSaturating(_ samples: consuming MutableSpan<Int16>) {
    let factor = factor
    for index in samples.indices {
      let scaled = (Float(samples[index]) * factor).rounded(.toNearestOrEven)
      samples[index] = scaled >= 32_767 ? 32_767 : scaled <= -32_768 ? -32_768 : Int16(scaled)
    }
  }
}
