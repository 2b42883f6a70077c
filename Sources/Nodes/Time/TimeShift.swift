import GraphKit

/// Presents samples later.
public struct TimeShift: SwiftNode {
  /// By how much, in seconds.
  public var seconds = 0.0

  /// A node that changes nothing.
  public init() {}

  public static let declaration = NodeDeclaration<TimeShift>(
    "timeShift", role: .effect, help: "Presents samples later.",
    phrase: "presented later",
    example: "second -> timeShift -> crossfade.to",
    parameters: [
      .number("seconds", \.seconds, in: 0...1_000_000, unit: "s", help: "By how much.")
    ])

  public static let ports = EffectPorts<AnyMedia>()

  public var traits: NodeTraits { NodeTraits(presentationShift: shift, movesTimes: shift != .zero) }

  private var shift: MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    let shift = self.shift
    if sample.presentationTime.isNumeric {
      sample.presentationTime = sample.presentationTime + shift
    }
    if sample.decodeTime.isNumeric { sample.decodeTime = sample.decodeTime + shift }
    try outputs.send(sample)
  }
}
