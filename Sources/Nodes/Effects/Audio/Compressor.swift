import GraphKit
import Glibc

/// Makes what is loud softer, so that loud and soft lie closer together.
///
/// All channels get the same gain, by the highest sample of any of them. The level above the
/// threshold is divided by the ratio, with a quadratic knee, and the reduction in decibels follows
/// with the attack where it grows and with the release where it shrinks: the feed-forward design
/// of D. Giannoulis, M. Massberg, J. Reiss, "Digital Dynamic Range Compressor Design", JAES 60(6),
/// 2012, equations 4 and 7, with the detector in the logarithmic domain. The times are those in
/// which 63 % of a change is done. All parameters may change while it runs, without a click.
public struct Compressor: AudioEffect {
  /// Where compression begins, in dBFS.
  public var threshold = -18.0 { didSet { tune() } }
  /// How many decibels above the threshold come out as one.
  public var ratio = 3.0 { didSet { tune() } }
  /// The width of the bend around the threshold, in decibels.
  public var knee = 6.0 { didSet { tune() } }
  /// How fast the gain goes down, in milliseconds.
  public var attack = 10.0 { didSet { tune() } }
  /// How fast it comes back, in milliseconds.
  public var release = 150.0 { didSet { tune() } }
  /// The gain afterwards, in decibels.
  public var makeup = 0.0 { didSet { makeupRamp.go(to: factor(decibels: makeup)) } }
  private var makeupRamp = Ramp(1)
  private var sampleRate = 48_000
  /// Below this, samples are below the knee.
  private var kneeStart: Float = 0
  private var decays = (attack: 0.0, release: 0.0)
  /// By how many decibels the last frame was attenuated.
  private var reduction = 0.0
  private var sound = PlanarAudio()
  private var peaks: [Float] = []

  /// A gentle compressor for speech.
  public init() { tune() }

  public static let declaration = NodeDeclaration<Compressor>(
    "compressor", role: .effect, help: "Reduces the dynamic range of audio.",
    phrase: "compressed in its dynamic range",
    example: "microphone -> compressor -> encoder",
    parameters: [
      .number(
        "threshold", \.threshold, in: -80...0, unit: "dBFS", live: true,
        help: "The level above which audio is attenuated."),
      .number(
        "ratio", \.ratio, in: 1...100, live: true,
        help: "How many decibels above the threshold come out as one; 1 changes nothing."),
      .number(
        "knee", \.knee, in: 0...40, unit: "dB", live: true,
        help: "The width of the bend around the threshold."),
      .number(
        "attack", \.attack, in: 0.1...1000, unit: "ms", live: true,
        help: "The time in which 63 % of a reduction is done."),
      .number(
        "release", \.release, in: 1...10_000, unit: "ms", live: true,
        help: "The time in which 63 % of a reduction is gone."),
      .number(
        "makeup", \.makeup, in: -24...48, unit: "dB", live: true,
        help: "The gain that follows."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public mutating func prepare(_ format: AudioFormat) throws {
    try format.expectEffectSamples("compressor")
    sampleRate = format.sampleRate
    makeupRamp.begin(sampleRate: sampleRate)
    tune()
  }

  private mutating func tune() {
    kneeStart = Float(factor(decibels: threshold - knee / 2))
    decays = (
      decay(milliseconds: attack, sampleRate: sampleRate),
      decay(milliseconds: release, sampleRate: sampleRate)
    )
  }

  public mutating func process(_ block: inout AudioBlock) throws {
    sound.read(&block)
    sound.peaks(into: &peaks)
    for frame in peaks.indices { peaks[frame] = Float(gain(after: peaks[frame])) }
    sound.multiply(by: peaks)
    sound.write(&block)
  }

  private mutating func gain(after peak: Float) -> Double {
    let wanted = peak > kneeStart ? reduction(at: decibels(factor: Double(peak))) : 0
    let decay = wanted > reduction ? decays.attack : decays.release
    reduction = wanted + (reduction - wanted) * decay
    // The decay never reaches zero by itself; a reduction this small is inaudible.
    if reduction < 1e-5 { reduction = 0 }
    let makeup = makeupRamp.next()
    return reduction == 0 ? makeup : makeup * factor(decibels: -reduction)
  }

  /// By how many decibels a steady level is attenuated.
  func reduction(at level: Double) -> Double {
    let over = level - threshold
    let slope = 1 - 1 / ratio
    if 2 * over < -knee { return 0 }
    if 2 * over > knee { return slope * over }
    return slope * (over + knee / 2) * (over + knee / 2) / (2 * knee)
  }
}
