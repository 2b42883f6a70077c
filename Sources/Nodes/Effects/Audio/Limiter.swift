import GraphKit

/// Keeps every sample at or below a ceiling, whatever comes.
///
/// It looks ahead: before a peak the gain goes down in a straight line, so that it is low enough
/// when the peak comes, and comes back with the release. All channels get the same gain. With
/// g[n] the gain that frame n needs, m[n] = min(g[n]…g[n+L]) over the look-ahead, r[n] the same
/// with the release, the gain is the mean of r[n-L]…r[n]: none of these is above g[n], so their
/// mean isn't either. The sums are of whole numbers, so nothing adds up over the hours.
///
/// With `truePeak`, levels between samples count as well: those that a player's converter makes, and
/// encoders. They are found by the interpolation of ITU-R BS.1770-4, Annex 2; what is left over the
/// ceiling is below 0.1 dB.
///
/// Samples keep their times: each block leaves as it came, once what it looks ahead to is there.
public struct Limiter: SwiftNode {
  /// The highest level that leaves, in dBFS.
  public var ceiling = -1.0
  /// How far it looks ahead, in milliseconds: the length of the way down.
  public var lookAhead = 5.0
  /// How fast the gain comes back, in milliseconds: 63 % of the way.
  public var release = 100.0 { didSet { curve?.setRelease(release) } }
  /// How much louder all is made before it is limited, in decibels.
  public var gain = 0.0
  /// Whether levels between samples count.
  public var truePeak = false
  private var format: FormatDescription?
  private var limit: Float = 1
  private var drive: Float = 1
  private var truePeaks: TruePeaks?
  /// The least gain so far, and how many frames it was below 1.
  private(set) var leastGain: Float = 1
  private(set) var limitedFrames = 0
  private var curve: LimiterCurve?
  private var held: [HeldSample] = []
  /// The gains of the first frames that are held.
  private var gains: [Float] = []
  private var sound = PlanarAudio()
  private var peaks: [Float] = []

  /// A limiter at -1 dBFS.
  public init() {}

  public static let declaration = NodeDeclaration<Limiter>(
    "limiter", role: .effect, help: "Keeps every sample at or below a ceiling.",
    phrase: "limited",
    example: "compressor -> limiter -> encoder",
    parameters: [
      .number(
        "ceiling", \.ceiling, in: -40...0, unit: "dBFS", help: "The highest level that leaves."),
      .number(
        "lookAhead", \.lookAhead, in: 0...100, unit: "ms",
        help: "How long before a peak the gain begins to go down."),
      .number(
        "release", \.release, in: 1...10_000, unit: "ms", live: true,
        help: "The time in which 63 % of a reduction is gone."),
      .number(
        "gain", \.gain, in: -48...48, unit: "dB",
        help: "How much louder all is made before it is limited."),
      .bool(
        "truePeak", \.truePeak,
        help: "Whether levels between samples count (dBTP), as broadcasters ask for."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public var latency: MediaTime {
    MediaTime(seconds: (lookAhead + (truePeak ? 1 : 0)) / 1000, preferredTimescale: 1_000_000)
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here")
    }
    try audio.expectEffectSamples("limiter")
    try finish(to: outputs)
    self.format = format
    limit = Float(factor(decibels: ceiling))
    if audio.sampleFormat == .s16 { limit = min((limit * 32_768).rounded(.down), 32_767) / 32_768 }
    drive = Float(factor(decibels: gain))
    truePeaks = truePeak ? TruePeaks(channels: audio.channels, above: limit) : nil
    curve = LimiterCurve(
      lookAhead: Int((lookAhead / 1000 * Double(audio.sampleRate)).rounded()),
      sampleRate: audio.sampleRate, release: release)
    gains = []
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    do {
      var block = try sample.audioBlock()
      sound.read(&block)
      // What is no number is silence from here on.
      if block.format.sampleFormat == .f32 { sound.write(&block) }
    }
    if drive != 1 { sound.multiply(by: drive) }
    findPeaks()
    for peak in peaks { add(peak) }
    held.append(HeldSample(sample))
    try sendWhatIsKnown(to: outputs)
  }

  private mutating func findPeaks() {
    guard truePeaks != nil else { return sound.peaks(into: &peaks) }
    var found: [Float] = []
    truePeaks?.add(sound) { found.append($0) }
    peaks = found
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if !held.isEmpty {
      var found: [Float] = []
      truePeaks?.finish { found.append($0) }
      for peak in found { add(peak) }
    }
    for _ in 0..<(held.isEmpty ? 0 : curve?.lookAhead ?? 0) { add(0) }
    try sendWhatIsKnown(to: outputs)
  }

  private mutating func add(_ peak: Float) {
    let needed = peak > limit ? Double(limit) / Double(peak) : 1
    guard let gain = curve?.next(needed) else { return }
    gains.append(gain)
    // Where the gain comes back, it comes near to 1 for long.
    if gain < 0.999 { limitedFrames += 1 }
    leastGain = min(leastGain, gain)
  }

  private mutating func sendWhatIsKnown(to outputs: NodeOutputs) throws {
    while let first = held.first, first.frameCount <= gains.count {
      held.removeFirst()
      var sample = first.sample.share()
      try apply(to: &sample, first.frameCount)
      gains.removeFirst(first.frameCount)
      try outputs.send(sample, on: 0)
    }
  }

  private mutating func apply(to sample: inout SampleBuffer, _ frameCount: Int) throws {
    // Audio below the ceiling is passed on as it is.
    guard drive != 1 || gains.prefix(frameCount).contains(where: { $0 < 1 }) else { return }
    var block = try sample.audioBlock()
    sound.read(&block)
    if drive != 1 { sound.multiply(by: drive) }
    sound.multiply(by: gains)
    for index in 0..<sound.frameCount * sound.channels {
      sound.levels[index] = min(max(sound.levels[index], -limit), limit)
    }
    sound.write(&block)
  }
}

/// A sample that waits for what follows it.
private final class HeldSample: Sendable {
  let sample: SampleBuffer
  let frameCount: Int

  init(_ sample: consuming SampleBuffer) {
    frameCount = sample.frameCount
    self.sample = sample
  }
}
