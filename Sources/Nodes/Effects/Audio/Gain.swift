import GraphKit
import Glibc

/// Makes audio louder or softer.
///
/// A change while it runs takes 10 ms, in a straight line from factor to factor. s16 is rounded to
/// the nearest value and stops at the ends of the scale. 0 dB changes no bit; with any other gain,
/// samples that aren't finite numbers become silence.
public struct Gain: AudioEffect {
  /// How much louder, in decibels; softer where it is negative.
  public var decibels = 0.0 { didSet { ramp.go(to: factor(decibels: decibels)) } }
  private var ramp = Ramp(1)
  private var sampleFormat = SampleFormat.f32
  private var sound = PlanarAudio()
  private var factors: [Float] = []

  /// A gain of 0 dB, which changes nothing.
  public init() {}

  /// A gain.
  public init(decibels: Double) {
    self.decibels = decibels
    ramp = Ramp(factor(decibels: decibels))
  }

  public static let declaration = NodeDeclaration<Gain>(
    "gain", role: .effect, help: "Makes audio louder or softer.",
    phrase: "changed in level by {decibels}",
    example: "microphone -> gain -> encoder",
    parameters: [
      .number(
        "decibels", \.decibels, in: -144...48, unit: "dB", live: true,
        help: "How much louder; softer where negative.")
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public mutating func prepare(_ format: AudioFormat) throws {
    try format.expectEffectSamples("gain")
    sampleFormat = format.sampleFormat
    ramp.begin(sampleRate: format.sampleRate)
  }

  public mutating func process(_ block: inout AudioBlock) throws {
    guard ramp.isStill else {
      sound.read(&block)
      ramp.next(sound.frameCount, into: &factors)
      sound.multiply(by: factors)
      return sound.write(&block)
    }
    let factor = Float(ramp.current)
    guard factor != 1 else { return }
    if sampleFormat == .f32 {
      Self.scale(block.samples(as: Float.self), by: factor)
    } else {
      Self.scaleSaturating(block.samples(as: Int16.self), by: factor)
    }
  }

  private static func scale(_ samples: consuming MutableSpan<Float>, by factor: Float) {
    for index in samples.indices {
      let scaled = samples[index] * factor
      samples[index] = abs(scaled) <= .greatestFiniteMagnitude ? scaled : 0
    }
  }

  private static func scaleSaturating(_ samples: consuming MutableSpan<Int16>, by factor: Float) {
    for index in samples.indices {
      let scaled = (Float(samples[index]) * factor).rounded(.toNearestOrEven)
      samples[index] = scaled >= 32_767 ? 32_767 : scaled <= -32_768 ? -32_768 : Int16(scaled)
    }
  }
}
