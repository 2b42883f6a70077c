import GraphKit

/// Finds where a video is black.
///
/// At the end it sends one measurement: an object with `black`, a list of objects of `start`, `end`
/// and `duration` in seconds.
public struct BlackFrames: SwiftNode {
  /// The shortest stretch, in seconds.
  public var duration = 2.0
  /// How much of a frame's pixels are black, at least.
  public var pictureThreshold = 0.98
  /// The brightest luma of a black pixel, from 0 for black to 1 for white.
  public var pixelThreshold = 0.1
  private var found = FoundStretches(atLeast: 0)
  private var known = KnownTimes()
  private var start: MediaTime?
  private var end = MediaTime.zero
  private var darkest: UInt8 = 0
  private var hasBegun = false

  /// Stretches of two seconds.
  public init() {}

  public static let declaration = NodeDeclaration<BlackFrames>(
    "blackFrames", role: .reducer, help: "Finds where a video is black.",
    phrase: "searched for black",
    example: "file.video -> blackFrames -> measurementSink",
    parameters: [
      .number("duration", \.duration, in: 0...1_000_000, unit: "s", help: "The shortest stretch."),
      .number(
        "pictureThreshold", \.pictureThreshold, in: 0...1,
        help: "How much of a frame's pixels are black, at least."),
      .number(
        "pixelThreshold", \.pixelThreshold, in: 0...1,
        help: "The brightest luma of a black pixel, from 0, black, to 1, white."),
    ])

  public static let ports = TransformPorts<Video, Measurement>(
    .video(VideoMeasurement.formats), FormatConstraint(MediaKind.measurement))

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    if !hasBegun { found = FoundStretches(atLeast: duration) }
    hasBegun = true
    guard case .video(let video) = format.format else { return }
    let isFull = ColorEncoding(video).range == .full
    darkest = UInt8((isFull ? pixelThreshold * 255 : 16 + pixelThreshold * 219).rounded(.down))
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let time = sample.presentationTime
    end = sample.duration.isNumeric ? time + sample.duration : time
    let isBlack = VideoMeasurement.part(of: sample, atMost: darkest) >= pictureThreshold
    if isBlack {
      if start == nil { start = time }
    } else if let begun = start.take() {
      found.add(from: begun, to: time)
    }
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if let begun = start.take() { found.add(from: begun, to: end) }
    try VideoMeasurement.send(["black": .array(found.values)], to: outputs)
  }
}
