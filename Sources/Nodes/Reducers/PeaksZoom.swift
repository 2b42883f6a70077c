import GraphKit

/// Cuts a waveform and makes its points coarser, without the audio.
///
/// The points are cut first, at whole points: the point that contains `startAt` is the first one,
/// and the point that contains `endAt` is the last one. Times then begin at zero.
public struct PeaksZoom: SwiftNode, PeaksPart {
  /// How many samples a point stands for.
  public var samplesPerPixel: Int?
  /// How many points a second has; rounded so that a point stands for a whole number of samples.
  public var pixelsPerSecond: Double?
  /// How many points there are.
  public var points: Int?
  /// Where the waveform starts, in seconds.
  public var startAt = 0.0
  /// Where it ends, in seconds.
  public var endAt: Double?
  private var collector = PeaksCollector()

  /// A node that leaves points as they are.
  public init() {}

  public static let declaration = NodeDeclaration<PeaksZoom>(
    "peaksZoom", role: .effect, help: "Cuts a waveform and makes its points coarser.",
    phrase: "made coarser",
    example: "peaksSource -> peaksZoom -> peaksSink",
    parameters: sizes(
      samplesPerPixel: "Samples of a channel that a point stands for; at least as many as before.",
      points: "The number of points; at most as many as there are.", most: 100_000_000) + range)

  public static let ports = TransformPorts<Peaks, Peaks>(
    FormatConstraint(.peaks), FormatConstraint(.peaks))

  public var problem: NodeError? { partProblem }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try collector.begin(format)
    guard let peaks = collector.peaks?.format else { return }
    if let pixelsPerSecond { samplesPerPixel = Int(Double(peaks.sampleRate) / pixelsPerSecond) }
    let old = peaks.samplesPerPixel
    guard let samplesPerPixel, samplesPerPixel < old else { return }
    throw NodeError(
      "points of \(old) samples can't be made finer, with \(samplesPerPixel)",
      remedy: "give at least \(old), or reduce the audio again", key: "samplesPerPixel")
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try collector.add(sample)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    guard let peaks = collector.peaks else { return }
    collector = PeaksCollector()
    warnOfLateStart(after: peaks.duration.seconds, on: outputs)
    let result = try zoomed(startAt == 0 && endAt == nil ? peaks : peaks[range(of: peaks)])
    try outputs.announce(FormatDescription(.peaks(result.format)), on: 0)
    try outputs.send(SampleBuffer(result))
  }

  private func zoomed(_ peaks: Peaks) throws(NodeError) -> Peaks {
    if let samplesPerPixel { return peaks.rescaled(toSamplesPerPixel: samplesPerPixel) }
    guard let points else { return peaks }
    guard points <= peaks.count else {
      throw NodeError(
        "\(points) points can't be made of \(peaks.count)",
        remedy: "give at most \(peaks.count), or reduce the audio again", key: "points")
    }
    return peaks.reduced(toPoints: points)
  }

  private func range(of peaks: Peaks) -> Range<Int> {
    let samples = peaks.format.samplesPerPixel
    let all = 0..<peaks.count * samples
    let frame = { (seconds: Double) in
      // The nearest frame, so that a time that a decimal fraction can't name exactly is still meant.
      Int(min((seconds * Double(peaks.format.sampleRate)).rounded(), Double(all.upperBound)))
    }
    let start = frame(startAt) / samples
    let end = endAt.map { (frame($0) + samples - 1) / samples } ?? peaks.count
    return start..<max(start, end)
  }
}
