import GraphKit

/// Finds where scenes of a video change.
///
/// The score of a frame, from 0 to 100, is the lesser of two: how much its luma differs from that of
/// the frame before, and how much this difference differs from the one before it, so that steady
/// movement is no cut. At the end it sends one measurement: an object with `cuts`, a list of objects
/// of `time` in seconds and `score`.
public struct SceneCuts: SwiftNode {
  /// The least score of a cut.
  public var threshold = 10.0
  private var known = KnownTimes()
  private var last: HeldFrame?
  private var lastDifference = 0.0
  private var cuts: [JSONValue] = []

  /// Cuts of a score of 10.
  public init() {}

  public static let declaration = NodeDeclaration<SceneCuts>(
    "sceneCuts", role: .reducer, help: "Finds where scenes of a video change.",
    phrase: "searched for scene cuts",
    example: "file.video -> sceneCuts -> measurementSink",
    parameters: [
      .number(
        "threshold", \.threshold, in: 0...100,
        help: "The least score of a cut: the percentage by which its frame differs.")
    ])

  public static let ports = TransformPorts<Video, Measurement>(
    .video(VideoMeasurement.formats), FormatConstraint(MediaKind.measurement))

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {}

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let frame = HeldFrame(sample)
    defer { last = frame }
    guard let last, let difference = VideoMeasurement.difference(last, frame, planes: 1) else {
      return
    }
    let percent = difference * 100
    let score = min(percent, abs(percent - lastDifference))
    lastDifference = percent
    guard score >= threshold else { return }
    cuts.append(
      .object([
        "time": VideoMeasurement.number(frame.time),
        "score": .number((score * 1000).rounded() / 1000),
      ]))
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    try VideoMeasurement.send(["cuts": .array(cuts)], to: outputs)
  }
}
