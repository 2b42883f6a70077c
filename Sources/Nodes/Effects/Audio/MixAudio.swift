import GraphKit
import Glibc

/// Adds up the audio of several inputs, aligned by presentation time to the sample.
///
/// Where an input has nothing, in its gaps and after its end, it is silent. The output begins with
/// the input that begins first. It goes on as far as all inputs have come, so an input that is
/// ahead waits on its wire: memory holds what the wires' window lets the inputs be apart.
///
/// Where it ends before its inputs do, it ends without waiting for those.
///
/// What goes over full scale is clipped: hard at full scale, or softly from half of it on, by
/// y = 1/2 + 1/2 tanh(2 |x| - 1) for |x| > 1/2. A change of gain takes 10 ms.
public struct MixAudio: SwiftNode {
  /// When the output ends.
  public enum Extent: String, Hashable, Sendable, CaseIterable {
    /// With the input `in`.
    case first
    /// With the input that ends last.
    case longest
    /// With the input that ends first.
    case shortest
  }

  /// What becomes of sums over full scale.
  public enum Clip: String, Hashable, Sendable, CaseIterable {
    /// They are full scale.
    case hard
    /// They bend towards full scale, from half of it on.
    case soft
    /// They stay; an encoder or a file of whole numbers will clip them.
    case none
  }

  /// The gains of the inputs in their order, in decibels; 0 for those after the last.
  public var gains: [Double] = [] { didSet { aim() } }
  /// When the output ends.
  public var duration = Extent.longest
  /// What becomes of sums over full scale.
  public var clip = Clip.hard
  /// Samples a second of all inputs and of the output.
  public var sampleRate = 48_000
  /// The number of channels of all inputs and of the output.
  public var channels = 2
  private var inputs: [MixInput] = []
  private var format: FormatDescription?
  /// The frame that the output goes on with; `nil` before it begins.
  private var next: Int?
  /// Whether the output has ended, though some inputs go on.
  private var isOver = false

  /// How many channels there may be.
  package static let mostChannels = 63

  /// A mixer of stereo audio at 48 kHz.
  public init() {}

  public static let declaration = NodeDeclaration<MixAudio>(
    "mixAudio", role: .effect, help: "Mixes the audio of several inputs.",
    example: "microphone -> mix.in",
    parameters: [
      .numbers(
        "gains", \.gains, in: -144...48, limit: 64, unit: "dB", live: true,
        help: "The gains of `in`, `in.2`, … in this order; 0 for those not given."),
      .choice("duration", \.duration, help: "With which of the inputs the output ends."),
      .choice("clip", \.clip, help: "What becomes of sums over full scale."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz",
        help: "The rate of all; inputs of another are converted."),
      .integer(
        "channels", \.channels, in: 1...mostChannels,
        help: "The channels of all; inputs of another number are converted."),
    ])

  /// Any number of inputs, and one output.
  public struct Ports: PortSet {
    /// The inputs.
    public let input = InputPort<Audio>(
      "in", .audio([.f32], layouts: [.interleaved]), isRepeatable: true,
      help: "Audio; the second as `in.2`.")
    /// The sum.
    public let output = OutputPort<Audio>(
      "out", .audio([.f32], layouts: [.interleaved]), help: "The sum.")
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

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    let wired = Self.inputCount(in: formats)
    guard gains.count > wired else { return nil }
    return NodeError(
      "there are \(gains.count) `gains`, and \(wired) inputs are wired",
      remedy: "give one for each input, in their order", key: "gains")
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    inputs = Array(
      repeating: MixInput(sampleRate: sampleRate, channels: channels),
      count: Self.inputCount(in: formats))
    aim()
    for index in inputs.indices { inputs[index].gain.begin(sampleRate: sampleRate) }
  }

  /// How many of the wired ports are inputs.
  private static func inputCount(in formats: [String: FormatConstraint]) -> Int {
    formats.keys.count { $0 == "in" || $0.hasPrefix("in.") }
  }

  private mutating func aim() {
    for index in inputs.indices {
      inputs[index].gain.go(to: index < gains.count ? factor(decibels: gains[index]) : 1)
    }
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    let wanted = AudioFormat(.f32, sampleRate: sampleRate, channels: channels)
    guard case .audio(let audio) = format.format, audio.isStored(like: wanted) else {
      throw NodeError(
        "mixAudio adds up \(MediaFormat.audio(wanted)), and \(format) came",
        remedy: "put an `audioConvert` before the input, or set `sampleRate` and `channels`")
    }
    if self.format == nil || input == 0 { self.format = format }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard !isOver else { return }
    inputs[input].add(sample, after: next)
    try sendWhatIsComplete(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    inputs[input].hasEnded = true
    try sendWhatIsComplete(to: outputs)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if next == nil, !isOver, let format { try outputs.announce(format, on: 0) }
  }

  /// A gap that is filled, at most, in seconds.
  private static let longestGap = 86_400

  /// As far as every input has come.
  private var completeEnd: Int? {
    let open = inputs.filter { !$0.hasEnded }
    guard open.allSatisfy({ $0.end != nil }) else { return nil }
    return open.compactMap(\.end).min() ?? inputs.compactMap(\.end).max()
  }

  /// Where the output ends, as soon as that is known.
  private var limit: Int? {
    switch duration {
    case .longest: nil
    case .first: inputs.first.flatMap { $0.hasEnded ? $0.end ?? .min : nil }
    case .shortest: inputs.filter(\.hasEnded).map { $0.end ?? .min }.min()
    }
  }

  private mutating func sendWhatIsComplete(to outputs: NodeOutputs) throws {
    let limit = limit
    if let complete = completeEnd, let format {
      let end = min(complete, limit ?? .max)
      var start = next ?? inputs.compactMap(\.start).min() ?? end
      guard end - start < Self.longestGap * sampleRate else {
        throw NodeError(
          "nothing came for more than a day after \(MediaTime(frames: start, at: sampleRate).seconds) s",
          remedy: "check the times of what comes")
      }
      while start < end {
        // A second at most: a block is memory, and an input's gap may be long.
        let count = min(end - start, sampleRate)
        next = start + count
        try outputs.send(mixed(start..<start + count, format), on: 0)
        start += count
      }
    }
    guard !isOver, let limit, limit <= next ?? .min else { return }
    isOver = true
    if next == nil, let format { try outputs.announce(format, on: 0) }
    // The consumer need not wait for inputs that can't be heard any more.
    try outputs.finish()
  }

  private mutating func mixed(
    _ frames: Range<Int>, _ format: FormatDescription
  ) -> SampleBuffer {
    var sums = [Double](repeating: 0, count: frames.count * channels)
    for index in inputs.indices { inputs[index].mix(into: &sums, frames) }
    var sample = SampleBuffer(
      byteCount: sums.count * MemoryLayout<Float>.stride, format: format)
    sample.withMutableElements(as: Float.self) { levels in
      for index in sums.indices { levels[index] = clip.level(sums[index]) }
    }
    sample.presentationTime = MediaTime(frames: frames.lowerBound, at: sampleRate)
    sample.duration =
      MediaTime(frames: frames.upperBound, at: sampleRate) - sample.presentationTime
    return sample
  }
}

extension MixAudio.Clip {
  /// The level that leaves for a sum.
  func level(_ sum: Double) -> Float {
    switch self {
    case .none: Float(max(-1e30, min(1e30, sum)))
    case .hard: Float(max(-1, min(1, sum)))
    case .soft:
      abs(sum) <= 0.5
        ? Float(sum) : Float(0.5 * (1 + tanh(2 * abs(sum) - 1))) * (sum < 0 ? -1 : 1)
    }
  }
}
