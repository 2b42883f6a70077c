import GraphKit

/// Takes samples and lets them go; the report's ledger has their number.
public struct NullSink: SwiftNode {
  /// A sink that keeps nothing.
  public init() {}

  public static let declaration = NodeDeclaration<NullSink>(
    "nullSink", role: .sink, help: "Counts samples and lets them go.",
    phrase: "counted and let go",
    example: "gain -> nullSink")

  public static let ports = SinkPorts<AnyMedia>(help: "Anything at all.")

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {}
}
