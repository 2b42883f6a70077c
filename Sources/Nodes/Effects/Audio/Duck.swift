import GraphKit

/// Makes audio softer while other audio is there: music under speech.
///
/// Both inputs are aligned by presentation time to the sample. While any channel of `key` is above the
/// threshold, the gain of `in` goes down, and comes back once it has been below for as long as `hold`
/// says. The times are those in which 63 % of a change is done. The output is as long as `in`; where
/// `key` has nothing, in its gaps and after its end, nothing is reduced.
public struct Duck: SwiftNode {
  /// The level of `key` above which `in` is reduced, in dBFS.
  public var threshold = -36.0
  /// By how much it is reduced, in decibels.
  public var reduction = 12.0
  /// How fast the gain goes down, in milliseconds.
  public var attack = 30.0
  /// How long the gain stays down after the last loud sample, in milliseconds.
  public var hold = 300.0
  /// How fast it comes back, in milliseconds.
  public var release = 400.0
  /// Samples a second of both inputs and of the output.
  public var sampleRate = 48_000
  /// The number of channels of both inputs and of the output.
  public var channels = 2
  private var inputs: [MixInput] = []
  private var format: FormatDescription?
  private var next: Int?
  /// Frames for which the gain stays down.
  private var held = 0
  /// The part of the reduction that is done, from 0 to 1.
  private var part = 0.0

  /// Music under speech.
  public init() {}

  public static let declaration = NodeDeclaration<Duck>(
    "duck", role: .effect, help: "Makes audio softer while other audio is there.",
    example: "speech -> duck.key",
    parameters: [
      .number(
        "threshold", \.threshold, in: -80...0, unit: "dBFS", live: true,
        help: "The level of `key` above which `in` is reduced."),
      .number(
        "reduction", \.reduction, in: 0...80, unit: "dB", live: true,
        help: "By how much it is reduced."),
      .number(
        "attack", \.attack, in: 0.1...1000, unit: "ms", live: true,
        help: "The time in which 63 % of the reduction is done."),
      .number(
        "hold", \.hold, in: 0...10_000, unit: "ms", live: true,
        help: "How long it stays after `key` was last above the threshold."),
      .number(
        "release", \.release, in: 1...10_000, unit: "ms", live: true,
        help: "The time in which 63 % of it is gone."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz",
        help: "The rate of all; inputs of another are converted."),
      .integer(
        "channels", \.channels, in: 1...63,
        help: "The channels of all; inputs of another number are converted."),
    ])

  /// What is reduced, by what, and the result.
  public struct Ports: PortSet {
    /// What is made softer.
    public let input = InputPort<Audio>(
      "in", .audio([.f32], layouts: [.interleaved]), help: "What is made softer: music, say.")
    /// By what.
    public let key = InputPort<Audio>(
      "key", .audio([.f32], layouts: [.interleaved]), help: "What it makes room for: speech, say.")
    /// The result.
    public let output = OutputPort<Audio>(
      "out", .audio([.f32], layouts: [.interleaved]), help: "The audio of `in`, reduced.")
  }

  public static let ports = Ports()

  public var portDeclarations: [PortDeclaration] {
    let format = FormatConstraint.audio(
      [.f32], layouts: [.interleaved], sampleRates: [sampleRate], channels: [channels])
    return Self.ports.declarations.map { port in
      var port = port
      port.format = format
      return port
    }
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    inputs = Array(
      repeating: MixInput(sampleRate: sampleRate, channels: channels), count: 2)
    for index in inputs.indices { inputs[index].gain.begin(sampleRate: sampleRate) }
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    let wanted = AudioFormat(.f32, sampleRate: sampleRate, channels: channels)
    guard case .audio(let audio) = format.format, audio.isStored(like: wanted) else {
      throw NodeError(
        "duck takes \(MediaFormat.audio(wanted)), and \(format) came",
        remedy: "put an `audioConvert` before the input, or set `sampleRate` and `channels`")
    }
    if inputs.isEmpty { settle(formats: [:]) }
    guard input == 0 else { return }
    self.format = format
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    inputs[input].add(sample, after: next)
    try sendWhatIsComplete(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    guard !inputs.isEmpty else { return }
    inputs[input].hasEnded = true
    try sendWhatIsComplete(to: outputs)
  }

  /// As far as `in` has come, and `key` has too or won't.
  private mutating func sendWhatIsComplete(to outputs: NodeOutputs) throws {
    guard let format, var start = next ?? inputs[0].start, let mainEnd = inputs[0].end else {
      return
    }
    let end = inputs[1].hasEnded ? mainEnd : min(mainEnd, inputs[1].end ?? start)
    while start < end {
      let count = min(end - start, sampleRate)
      next = start + count
      try outputs.send(ducked(start..<start + count, format), on: 0)
      start += count
    }
  }

  private mutating func ducked(_ frames: Range<Int>, _ format: FormatDescription) -> SampleBuffer {
    var levels = [Double](repeating: 0, count: frames.count * channels)
    var keys = levels
    inputs[0].mix(into: &levels, frames)
    inputs[1].mix(into: &keys, frames)
    let limit = factor(decibels: threshold)
    let (attack, release) = (
      decay(milliseconds: attack, sampleRate: sampleRate),
      decay(milliseconds: release, sampleRate: sampleRate)
    )
    for frame in 0..<frames.count {
      let gain = gain(isKeyed: isLoud(keys, frame, limit), attack, release)
      for channel in 0..<channels { levels[frame * channels + channel] *= gain }
    }
    var sample = SampleBuffer(
      byteCount: levels.count * MemoryLayout<Float>.stride, format: format)
    sample.withMutableElements(as: Float.self) { values in
      for index in levels.indices { values[index] = Float(levels[index]) }
    }
    sample.presentationTime = MediaTime(frames: frames.lowerBound, at: sampleRate)
    sample.duration =
      MediaTime(frames: frames.upperBound, at: sampleRate) - sample.presentationTime
    return sample
  }

  private func isLoud(_ keys: [Double], _ frame: Int, _ limit: Double) -> Bool {
    (0..<channels).contains { abs(keys[frame * channels + $0]) > limit }
  }

  private mutating func gain(isKeyed: Bool, _ attack: Double, _ release: Double) -> Double {
    if isKeyed {
      held = Int(hold / 1000 * Double(sampleRate))
    } else if held > 0 {
      held -= 1
    }
    let isDown = isKeyed || held > 0
    let wanted = isDown ? 1.0 : 0
    part = wanted + (part - wanted) * (isDown ? attack : release)
    // The way back never ends by itself; a part this small is inaudible.
    if !isDown, part < 1e-6 { part = 0 }
    return part == 0 ? 1 : factor(decibels: -reduction * part)
  }
}
