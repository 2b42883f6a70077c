import GraphKit
import Glibc

/// Fades audio in and out, each along a curve, exact to the sample.
///
/// Times count from the first sample that comes. Frame `n` of a fade of `N` frames has the gain of
/// the curve at n/N: the first frame of a fade-in is silent, that after its last one is as it was.
/// A fade-out is the same backwards, and silence follows.
public struct Fade: AudioEffect {
  /// How a fade goes from silence (0) to the full signal (1).
  public enum Curve: String, Hashable, Sendable, CaseIterable {
    /// The gain itself: x.
    case linear
    /// Half the power in the middle, which keeps a crossfade of two signals even: sin(x π/2).
    case equalPower
    /// The decibels, from -60 up: 10^(-3 (1 - x)).
    case exponential
  }

  /// The length of the fade-in, in seconds.
  public var fadeIn = 0.0
  /// How long it takes to go out, in seconds.
  public var fadeOut = 0.0
  /// When it begins to go out, in seconds; `nil` where it stays.
  public var fadeOutAt: Double?
  /// How both go.
  public var curve = Curve.linear
  private var sound = PlanarAudio()
  private var factors: [Float] = []
  private var sampleRate = 0
  private var clock: FrameClock?
  /// The frame by presentation time that counts as the first.
  private var origin: Int?

  /// A node that leaves audio as it is.
  public init() {}

  public static let declaration = NodeDeclaration<Fade>(
    "fade", role: .effect, help: "Fades audio in and out.",
    phrase: "faded",
    example: "decoder -> fade -> encoder",
    parameters: [
      .number(
        "fadeIn", \.fadeIn, in: 0...86_400, unit: "s", help: "How long it takes to come in."),
      .number(
        "fadeOut", \.fadeOut, in: 0...86_400, unit: "s", help: "How long it takes to go out."),
      .number(
        "fadeOutAt", \.fadeOutAt, in: 0...31_536_000, unit: "s",
        help: "When it begins to go out, counted from the first sample; silence follows."),
      .choice("curve", \.curve, help: "Straight in gain, in power's sense, or in decibels."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public var problem: NodeError? {
    guard fadeOut > 0, fadeOutAt == nil else { return nil }
    return NodeError(
      "the start of the fade-out is unknown, as the stream's end isn't known in advance",
      remedy: "give `fadeOutAt`, in seconds from the first sample", key: "fadeOut")
  }

  public mutating func prepare(_ format: AudioFormat) throws {
    try format.expectEffectSamples("fade")
    guard sampleRate != format.sampleRate else { return }
    sampleRate = format.sampleRate
    clock = FrameClock(sampleRate: sampleRate)
    origin = nil
  }

  public mutating func process(_ block: inout AudioBlock) throws {}

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    let position = clock?.position(of: sample) ?? 0
    let first = position - (origin ?? position)
    if origin == nil { origin = position }
    if changes(first..<first + sample.frameCount) {
      var block = try sample.audioBlock()
      sound.read(&block)
      factors.removeAll(keepingCapacity: true)
      for frame in first..<first + sound.frameCount { factors.append(Float(gain(at: frame))) }
      sound.multiply(by: factors)
      sound.write(&block)
    }
    try outputs.send(sample, on: 0)
  }

  private func frames(_ seconds: Double) -> Int { Int((seconds * Double(sampleRate)).rounded()) }

  private func changes(_ range: Range<Int>) -> Bool {
    range.lowerBound < frames(fadeIn)
      || fadeOutAt.map { range.upperBound > frames($0) } ?? false
  }

  /// The gain of a frame, counted from the first.
  func gain(at frame: Int) -> Double {
    let risen = portion(frame, of: frames(fadeIn))
    guard let fadeOutAt else { return curve.gain(risen) }
    return curve.gain(risen)
      * curve.gain(1 - portion(frame - frames(fadeOutAt), of: frames(fadeOut)))
  }

  private func portion(_ frame: Int, of length: Int) -> Double {
    frame < 0 ? 0 : frame >= length ? 1 : Double(frame) / Double(length)
  }
}

extension Fade.Curve {
  /// The gain where a portion of a fade-in is over.
  func gain(_ portion: Double) -> Double {
    // The ends are exact, whatever a sine or a power rounds to.
    guard portion > 0, portion < 1 else { return portion }
    return switch self {
    case .linear: portion
    case .equalPower: sin(portion * .pi / 2)
    case .exponential: pow(10, -3 * (1 - portion))
    }
  }
}
