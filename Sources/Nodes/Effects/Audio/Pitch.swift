import GraphKit
import Glibc

/// Changes the pitch of audio at the same speed, with SoundTouch. ``Speed`` changes the speed.
public struct Pitch: ElementNode {
  /// By how much it is higher, in semitones.
  public var semitones = 0.0

  /// A node that changes nothing.
  public init() {}

  public static let declaration = NodeDeclaration<Pitch>(
    "pitch", role: .effect, help: "Changes the pitch of audio at the same speed.",
    phrase: "changed in pitch",
    example: "decoder -> pitch -> encoder",
    parameters: [
      .number(
        "semitones", \.semitones, in: -24...24,
        help: "By how much it gets higher; 12 are an octave.")
    ])

  public static let ports = EffectPorts<Audio>(
    .audio(
      [.f32], layouts: [.interleaved],
      sampleRates: [48_000, 44_100, 96_000, 88_200, 32_000, 24_000, 22_050, 16_000, 11_025, 8_000],
      channels: [2, 1]))

  /// What SoundTouch looks at together.
  public var latency: MediaTime { MediaTime(value: 1, timescale: 4) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    // SoundTouch changes samples at any pitch.
    let element =
      semitones == 0
      ? ElementSpec("identity", plugin: "coreelements")
      : ElementSpec("pitch", plugin: "soundtouch", ["pitch": "\(pow(2, semitones / 12))"])
    var chain = ElementChain([element])
    chain.filters["in"] = [.bounded(to: .greatestFiniteMagnitude)]
    return [chain]
  }
}
