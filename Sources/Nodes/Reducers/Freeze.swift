import Glibc
import GraphKit

/// Finds where a video stands still.
///
/// A stretch goes on for as long as frames differ from its first one by no more than the noise. At
/// the end it sends one measurement: an object with `freezes`, a list of objects of `start`, `end`
/// and `duration` in seconds.
public struct Freeze: SwiftNode {
  /// The shortest stretch, in seconds.
  public var duration = 2.0
  /// The mean difference of what still counts as the same, in decibels of the full scale.
  public var noise = -60.0
  private var found = FoundStretches(atLeast: 0)
  private var known = KnownTimes()
  private var reference: HeldFrame?
  private var end = MediaTime.zero
  private var hasBegun = false

  /// Stretches of two seconds.
  public init() {}

  public static let declaration = NodeDeclaration<Freeze>(
    "freeze", role: .reducer, help: "Finds where a video stands still.",
    phrase: "searched for standstill",
    example: "file.video -> freeze -> measurementSink",
    parameters: [
      .number("duration", \.duration, in: 0...1_000_000, unit: "s", help: "The shortest stretch."),
      .number(
        "noise", \.noise, in: -120...0, unit: "dB",
        help: "The mean difference of frames that still counts as none, of the full scale."),
    ])

  public static let ports = TransformPorts<Video, Measurement>(
    .video(VideoMeasurement.formats), FormatConstraint(MediaKind.measurement))

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    if !hasBegun { found = FoundStretches(atLeast: duration) }
    hasBegun = true
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let frame = HeldFrame(sample)
    end = frame.end
    guard let first = reference else {
      reference = frame
      return
    }
    let difference = VideoMeasurement.difference(first, frame)
    if let difference, difference <= pow(10, noise / 20) { return }
    found.add(from: first.time, to: frame.time)
    reference = frame
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if let first = reference.take() { found.add(from: first.time, to: end) }
    try VideoMeasurement.send(["freezes": .array(found.values)], to: outputs)
  }
}
