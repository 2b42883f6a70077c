import GraphKit

/// Makes channels of others: takes some of them, in any order, or mixes them by a matrix.
///
/// Each channel that leaves is a sum of those that enter, each times its factor. A sum over full scale
/// stays as it is in f32 and stops at the ends of the scale in s16. With neither, all channels pass.
public struct Channels: SwiftNode {
  /// The numbers of the channels that leave, from 1, in their order; empty where ``matrix`` says.
  public var take: [Double] = []
  /// A row for each channel that leaves: the factors of the channels that enter.
  public var matrix: [MatrixRow] = []
  private var output: FormatDescription?
  private var sound = PlanarAudio()
  private var mixed = PlanarAudio()

  /// A node whose channels are to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Channels>(
    "channels", role: .effect, help: "Takes channels in any order, or mixes them by a matrix.",
    example: "file.audio -> channels -> encoder",
    parameters: [
      .numbers(
        "take", \.take, in: 1...63, limit: 63,
        help: "The channels that leave, by their numbers from 1: [2, 1] swaps two."),
      .list(
        "matrix", \.matrix, limit: 63,
        help: "A row for each channel that leaves, of factors: [[0.5, 0.5]] mixes two to one."),
    ])

  public static let ports = EffectPorts<Audio>(.audio([.f32, .s16]))

  public var portDeclarations: [PortDeclaration] {
    let count = take.isEmpty ? matrix.count : take.count
    return [
      PortDeclaration("in", .input, .audio([.f32, .s16]), help: "What the effect works on."),
      PortDeclaration(
        "out", .output, .audio([.f32, .s16], channels: count > 0 ? [count] : []), follows: "in",
        help: "The channels that were asked for."),
    ]
  }

  public var problem: NodeError? {
    if !take.isEmpty, !matrix.isEmpty {
      return NodeError(
        "both `take` and `matrix` are given", remedy: "give one of them", key: "matrix")
    }
    if let number = take.first(where: { $0 != $0.rounded() }) {
      return NodeError(
        "\(number) is no channel", remedy: "write whole numbers from 1", key: "take")
    }
    let widths = Set(matrix.map(\.factors.count))
    guard widths.count > 1 || widths == [0] else { return nil }
    return NodeError(
      "the rows of `matrix` have \(FormatWords.either(widths.sorted().map(String.init))) factors",
      remedy: "give each a factor for every channel that enters", key: "matrix")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let counts = formats["in"]?.channels, counts.count == 1, let count = counts.first else {
      return nil
    }
    return problem(channels: count)
  }

  private func problem(channels count: Int) -> NodeError? {
    if let number = take.first(where: { Int($0) > count }) {
      return NodeError(
        "channel \(Int(number)) is asked for, and \(FormatWords.channels(count)) enters",
        remedy: "write numbers from 1 to \(count)", key: "take")
    }
    guard let row = matrix.first, row.factors.count != count else { return nil }
    return NodeError(
      "the rows of `matrix` have \(row.factors.count) factors, and \(FormatWords.channels(count)) "
        + "enters",
      remedy: "give each row \(count)", key: "matrix")
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(var audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here", key: "in")
    }
    try audio.expectEffectSamples("channels")
    if let problem = problem(channels: audio.channels) { throw problem }
    audio.channels = passesAll ? audio.channels : max(take.count, matrix.count)
    let description = passesAll ? format : try FormatDescription(.audio(audio))
    output = description
    try outputs.announce(description, on: 0)
  }

  private var passesAll: Bool { take.isEmpty && matrix.isEmpty }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let output, case .audio(let audio) = output.format else { return }
    do {
      var block = try sample.audioBlock()
      sound.read(&block)
      // What is no number is silence from here on.
      if passesAll { sound.write(&block) }
    }
    if passesAll { return try outputs.send(sample, on: 0) }
    var made = SampleBuffer(byteCount: sound.frameCount * audio.bytesPerFrame, format: output)
    (made.presentationTime, made.duration) = (sample.presentationTime, sample.duration)
    made.isDiscontinuity = sample.isDiscontinuity
    mix(audio.channels)
    do {
      var block = try made.audioBlock()
      mixed.write(&block)
    }
    try outputs.send(made, on: 0)
  }

  private mutating func mix(_ channels: Int) {
    let count = sound.frameCount
    mixed.set(frames: count, channels: channels)
    for channel in 0..<channels {
      for (source, factor) in factors(of: channel) where factor != 0 {
        for frame in 0..<count {
          mixed.levels[channel * count + frame] += sound.levels[source * count + frame] * factor
        }
      }
    }
  }

  /// The channels that a channel is made of.
  private func factors(of channel: Int) -> [(Int, Float)] {
    if matrix.isEmpty { return [(Int(take[channel]) - 1, 1)] }
    return matrix[channel].factors.enumerated().map { ($0, Float($1)) }
  }
}

/// A row of a matrix: the factors of the channels that enter.
public struct MatrixRow: ListItem {
  /// The factors, in the order of the channels.
  public var factors: [Double]

  /// A row of factors.
  public init(_ factors: [Double]) { self.factors = factors }

  private static let range = -8.0...8.0

  public static let kind = ParameterKind.list(.number(range), limit: 63)

  public init?(json: JSONValue) {
    guard case .array(let values) = json, values.count <= 63 else { return nil }
    factors = values.compactMap { value in
      guard case .number(let number) = value, Self.range.contains(number) else { return nil }
      return number
    }
    guard factors.count == values.count else { return nil }
  }

  public var json: JSONValue { .array(factors.map { .number($0) }) }
}
