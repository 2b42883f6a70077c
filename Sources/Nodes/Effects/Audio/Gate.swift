import GraphKit

/// Shuts out what is softer than a threshold: the room between words.
///
/// The gate opens with the first frame of which any channel reaches the threshold, and closes once
/// all have stayed below the threshold less the hysteresis for the hold. The gain goes in a
/// straight line: from shut to open in the attack, back in the release. All channels get the same.
public struct Gate: AudioEffect {
  /// Where the gate opens, in dBFS.
  public var threshold = -45.0 { didSet { tune() } }
  /// How much lower the level at which it closes is, in decibels.
  public var hysteresis = 6.0 { didSet { tune() } }
  /// How long opening takes, in milliseconds.
  public var attack = 2.0 { didSet { tune() } }
  /// How long it stays open, in milliseconds.
  public var hold = 100.0 { didSet { tune() } }
  /// How long closing takes, in milliseconds.
  public var release = 150.0 { didSet { tune() } }
  /// How much softer audio is made by the closed gate, in decibels; 100 for silence.
  public var reduction = 100.0 { didSet { floor.go(to: Self.floor(reduction)) } }
  private var floor = Ramp(0)
  private var sampleRate = 48_000
  private var levels: (open: Float, close: Float) = (0, 0)
  private var steps: (up: Double, down: Double) = (1, 1)
  private var holdFrames = 0
  private var isOpen = false
  /// Frames since the level was last high enough to stay open.
  private var quietFrames = 0
  /// How far the gate is open, from 0 to 1.
  private var opening = 0.0
  private var sound = PlanarAudio()
  private var peaks: [Float] = []

  /// A gate for speech.
  public init() { tune() }

  public static let declaration = NodeDeclaration<Gate>(
    "gate", role: .effect, help: "Shuts out what is softer than a threshold.",
    phrase: "gated below {threshold}",
    example: "microphone -> gate -> encoder",
    parameters: [
      .number(
        "threshold", \.threshold, in: -100...0, unit: "dBFS", live: true,
        help: "The level at which the gate opens."),
      .number(
        "hysteresis", \.hysteresis, in: 0...40, unit: "dB", live: true,
        help: "How much lower the level at which it closes is."),
      .number(
        "attack", \.attack, in: 0...1000, unit: "ms", live: true, help: "How long opening takes."),
      .number(
        "hold", \.hold, in: 10...10_000, unit: "ms", live: true,
        help: "How long it stays open; longer than half a wave of the lowest tone."),
      .number(
        "release", \.release, in: 0...10_000, unit: "ms", live: true,
        help: "How long closing takes."),
      .number(
        "reduction", \.reduction, in: 0...100, unit: "dB", live: true,
        help: "Attenuation while the gate is closed; 100 for silence."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public mutating func prepare(_ format: AudioFormat) throws {
    try format.expectEffectSamples("gate")
    sampleRate = format.sampleRate
    floor.begin(sampleRate: sampleRate)
    tune()
  }

  private static func floor(_ reduction: Double) -> Double {
    reduction >= 100 ? 0 : factor(decibels: -reduction)
  }

  private mutating func tune() {
    let frames = Double(sampleRate) / 1000
    levels = (
      Float(factor(decibels: threshold)), Float(factor(decibels: threshold - hysteresis))
    )
    steps = (1 / max(1, attack * frames), 1 / max(1, release * frames))
    holdFrames = Int((hold * frames).rounded())
  }

  public mutating func process(_ block: inout AudioBlock) throws {
    sound.read(&block)
    sound.peaks(into: &peaks)
    for frame in peaks.indices { peaks[frame] = Float(gain(after: peaks[frame])) }
    sound.multiply(by: peaks)
    sound.write(&block)
  }

  private mutating func gain(after peak: Float) -> Double {
    if peak >= levels.open { isOpen = true }
    quietFrames = peak >= levels.close ? 0 : min(quietFrames, holdFrames) + 1
    if quietFrames > holdFrames { isOpen = false }
    opening = isOpen ? min(1, opening + steps.up) : max(0, opening - steps.down)
    let floor = floor.next()
    return floor + (1 - floor) * opening
  }
}
