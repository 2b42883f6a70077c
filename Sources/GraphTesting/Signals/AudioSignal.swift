import Glibc

/// Synthetic audio whose every sample follows from its number, so that a test can tell what should
/// have come out. Values lie from -1 to 1; all channels are the same.
public enum AudioSignal: Hashable, Sendable {
  /// Nothing.
  case silence
  /// A sine of half the full scale.
  case tone(hertz: Double)
  /// Full scale for one frame, silence before and after.
  case impulse(frame: Int)
  /// From -1 up by 1/32768 a frame, and again from -1 after 65,536 frames: no two neighbours alike.
  case ramp
  /// White noise; the same for the same seed.
  case noise(seed: UInt64)

  /// The value of a frame.
  public func value(at frame: Int, sampleRate: Int) -> Float {
    switch self {
    case .silence: 0
    case .tone(let hertz): Float(0.5 * sin(2 * .pi * hertz * Double(frame) / Double(sampleRate)))
    case .impulse(let place): frame == place ? 1 : 0
    case .ramp: Float(frame & 0xffff) / 32_768 - 1
    case .noise(let seed):
      Float(Self.hash(seed &+ UInt64(truncatingIfNeeded: frame)) >> 40) / 8_388_608 - 1
    }
  }

  /// Interleaved values of some frames.
  public func values(_ frames: Range<Int>, sampleRate: Int, channels: Int = 1) -> [Float] {
    frames.flatMap { frame in
      repeatElement(value(at: frame, sampleRate: sampleRate), count: channels)
    }
  }

  /// The same as 16-bit samples, full scale at 32,767.
  public func values16(_ frames: Range<Int>, sampleRate: Int, channels: Int = 1) -> [Int16] {
    values(frames, sampleRate: sampleRate, channels: channels).map {
      Int16(($0 * 32_767).rounded())
    }
  }

  // SplitMix64 (Steele, Lea, Flood 2014): any frame's noise without those before it.
  private static func hash(_ counter: UInt64) -> UInt64 {
    var z = counter &* 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
