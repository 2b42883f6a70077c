import GraphKit

/// Raises and lowers ranges of frequencies: bands one after another.
///
/// Each band is a filter of second order from the "Audio EQ Cookbook", reckoned in double
/// precision. New bands take the place of those before in 10 ms, in a straight line; a live change
/// leaves out those from half of the sampling rate on, which at the start are an error.
public struct Equalizer: AudioEffect {
  /// The bands, in the order in which the audio passes them.
  public var bands: [EqualizerBand] = [] { didSet { isChanged = true } }
  private var isChanged = false
  private var format: AudioFormat?
  private var cascade: BiquadCascade?
  /// The filters before the last change, as long as they can still be heard.
  private var former: BiquadCascade?
  private var blend = Ramp(1)
  private var sound = PlanarAudio()
  private var formerSound = PlanarAudio()
  private var portions: [Float] = []

  /// An equalizer without bands, which changes nothing.
  public init() {}

  /// An equalizer with bands.
  public init(_ bands: [EqualizerBand]) { self.bands = bands }

  public static let declaration = NodeDeclaration<Equalizer>(
    "equalizer", role: .effect, help: "Raises and lowers ranges of frequencies.",
    phrase: "equalized",
    example: "microphone -> equalizer -> encoder",
    parameters: [
      .list(
        "bands", \.bands, limit: 32, live: true,
        help: "Filters in their order: { \"type\", \"frequency\", \"gain\", \"q\" } each.")
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let rates = formats["in"]?.sampleRates, rates.count == 1 else { return nil }
    return problem(sampleRate: rates[0])
  }

  private func problem(sampleRate: Int) -> NodeError? {
    let index = bands.firstIndex { $0.frequency * 2 >= Double(sampleRate) }
    return index.map {
      NodeError(
        "`bands[\($0)]` is at \(bands[$0].frequency) Hz, and audio of \(sampleRate) samples a "
          + "second has nothing from \(Double(sampleRate) / 2) Hz on",
        remedy: "give a lower frequency, or leave the band out", key: "bands[\($0)].frequency")
    }
  }

  public mutating func prepare(_ format: AudioFormat) throws {
    try format.expectEffectSamples("equalizer")
    if let problem = problem(sampleRate: format.sampleRate) { throw problem }
    guard self.format != format else { return }
    self.format = format
    blend.begin(sampleRate: format.sampleRate)
    (cascade, former, isChanged) = (makeCascade(format), nil, false)
  }

  /// A band that a live change puts where the audio has nothing is no reason to end the run.
  private func makeCascade(_ format: AudioFormat) -> BiquadCascade {
    let audible = bands.filter { $0.frequency * 2 < Double(format.sampleRate) }
    return BiquadCascade(audible, sampleRate: format.sampleRate, channels: format.channels)
  }

  public mutating func process(_ block: inout AudioBlock) throws {
    if isChanged, former == nil { change() }
    guard former != nil || !bands.isEmpty else { return }
    sound.read(&block)
    if former != nil { formerSound = sound }
    cascade?.filter(&sound)
    if former != nil { mixFormer() }
    sound.write(&block)
  }

  /// Begins to go from the filters before to those that are asked for now.
  private mutating func change() {
    isChanged = false
    guard let format, let cascade else { return }
    former = cascade
    self.cascade = makeCascade(format).remembering(cascade)
    blend = Ramp(0)
    blend.begin(sampleRate: format.sampleRate)
    blend.go(to: 1)
  }

  private mutating func mixFormer() {
    former?.filter(&formerSound)
    blend.next(sound.frameCount, into: &portions)
    for channel in 0..<sound.channels {
      for frame in 0..<sound.frameCount where portions[frame] < 1 {
        let index = channel * sound.frameCount + frame
        let (old, new) = (formerSound.levels[index], sound.levels[index])
        sound.levels[index] = old + (new - old) * portions[frame]
      }
    }
    if blend.isStill { former = nil }
  }
}
