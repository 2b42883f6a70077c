import GraphKit

/// Reduces audio to the points of a waveform.
///
/// It takes PCM of any rate and channel count. A point stands for ``samplesPerPixel`` samples of a
/// channel, for a part of a second, or for as many as make ``points`` points of the whole audio.
/// Audio is reduced in 16 bits; see `Peaks` for what is sent.
///
/// Formulas: `minMax` is the lowest and the highest sample, as audiowaveform writes them; `peak`
/// the largest magnitude; `rms` the root of the mean of the squares; `mean` the mean magnitude. A
/// mix is the mean of the channels, rounded towards zero.
public struct Waveform: AssociativeReducerNode, PeaksPart {
  /// How channels are treated.
  public enum Channels: String, CaseIterable, Sendable {
    /// Their mean is reduced.
    case mixed
    /// Each is reduced.
    case split
  }

  /// What a point says.
  public var reduce = PeakReduction.minMax
  /// How many samples a point stands for; 256 where nothing else says how long points are.
  public var samplesPerPixel: Int?
  /// How many points a second has; rounded so that a point stands for a whole number of samples.
  public var pixelsPerSecond: Double?
  /// How many points there are, however long the audio is.
  public var points: Int?
  /// How channels are treated.
  public var channels = Channels.mixed
  /// The number of zoom levels: each has points twice as long as the one before, on a port of its
  /// own: `out`, `out.2`, …
  public var zoomLevels = 1
  /// Where the waveform starts, in seconds.
  public var startAt = 0.0
  /// Where it ends, in seconds.
  public var endAt: Double?
  /// How often points are sent on while the audio goes on, in seconds; all at its end where this is
  /// zero.
  public var updateInterval = 0.0

  /// The summary of the stream that runs.
  public var summary: WaveformSummary?
  private var nextUpdate = 0

  /// A waveform of 256 samples a point.
  public init() {}

  public static let declaration = NodeDeclaration<Waveform>(
    "waveform", role: .reducer, help: "Reduces audio to the points of a waveform.",
    phrase: "reduced to the points of a waveform",
    example: "file.audio -> waveform -> peaksSink",
    parameters: [.choice("reduce", \.reduce, help: "What a point says of its samples.")]
      + sizes(
        samplesPerPixel:
          "Samples of a channel that a point stands for; 256 where nothing else is given.",
        points: "The number of points, however long the audio is.", most: 100_000)
      + [
        .choice("channels", \.channels, help: "Whether channels are mixed or each is reduced."),
        .integer(
          "zoomLevels", \.zoomLevels, in: 1...16,
          help: "Zoom levels of one pass, each of points twice as long: `out`, `out.2` and so on."),
      ] + range + [
        .number(
          "updateInterval", \.updateInterval, in: 0...86_400, unit: "s",
          help: "The interval at which points are sent during the stream; 0 sends all at its end.")
      ])

  public static let ports = TransformPorts<Audio, Peaks>(
    .audio([.s16, .f32, .s32, .s24, .u8, .f64]), FormatConstraint(.peaks))

  public var portDeclarations: [PortDeclaration] {
    let ports = Self.ports.declarations
    guard zoomLevels > 1, let output = ports.last else { return ports }
    return ports
      + (2...zoomLevels).map { level in
        var port = output
        port.name = "\(output.name).\(level)"
        port.isRequired = false
        return port
      }
  }

  public var problem: NodeError? {
    if let partProblem { return partProblem }
    if points != nil, updateInterval > 0 {
      return NodeError(
        "the length of a point isn't known before the audio ends",
        remedy: "leave out `updateInterval`, or give `samplesPerPixel` in place of `points`",
        key: "updateInterval")
    }
    return nil
  }

  public func makeSummary(
    of format: AudioFormat, from frame: Int
  ) throws(NodeError) -> WaveformSummary {
    let rate = Double(format.sampleRate)
    let cellSize = pixelsPerSecond.map { Int(rate / $0) } ?? samplesPerPixel ?? 256
    guard points != nil || cellSize >= 1 else {
      throw NodeError(
        "\(pixelsPerSecond ?? 0) points a second are more than samples",
        remedy: "give at most \(format.sampleRate)", key: "pixelsPerSecond")
    }
    let settings = WaveformSettings(
      reduction: reduce, isMixed: channels == .mixed, cellSize: points == nil ? cellSize : 1,
      points: points, frames: Int(startAt * rate)..<(endFrame(at: format.sampleRate) ?? .max / 2),
      levels: zoomLevels)
    return WaveformSummary(settings, of: format, from: frame)
  }

  public func endFrame(at sampleRate: Int) -> Int? { endAt.map { Int($0 * Double(sampleRate)) } }

  public func send(_ summary: consuming WaveformSummary, to outputs: NodeOutputs) throws {
    let time = summary.time
    warnOfLateStart(
      after: Double(summary.endFrame) / Double(summary.sampleRate), on: outputs)
    for level in stride(from: zoomLevels - 1, to: 0, by: -1) {
      try send(summary.peaks(level: level), at: time, on: level, to: outputs)
    }
    try send(summary.takePeaks(), at: time, on: 0, to: outputs)
  }

  public mutating func sendCompleted(
    _ summary: inout WaveformSummary, to outputs: NodeOutputs
  ) throws {
    guard updateInterval > 0, summary.endFrame >= nextUpdate else { return }
    nextUpdate = summary.endFrame + Int(updateInterval * Double(summary.sampleRate))
    let time = summary.time
    guard let levels = summary.takeCompleted() else { return }
    for (level, peaks) in levels.enumerated() where peaks.count > 0 {
      try send(peaks, at: time, on: level, to: outputs)
    }
  }

  private func send(
    _ peaks: consuming Peaks, at time: MediaTime, on level: Int, to outputs: NodeOutputs
  ) throws {
    let sample = try SampleBuffer(peaks, at: time)
    try outputs.announce(sample.format, on: level)
    try outputs.send(sample, on: level)
  }
}
