/// Takes an encoder's packets and throws them away, for a session as long as that of the sinks in whose
/// place it is.
struct DiscardSink: SwiftNode {
  /// The length of the session; `nil` for no limit.
  private let limit: MediaTime?

  init() { self.init(limit: nil) }

  init(limit: MediaTime?) { self.limit = limit }

  static let declaration = NodeDeclaration<DiscardSink>(
    "discard", role: .sink, help: "Throws packets away.", example: "")

  static let ports = SinkPorts<EncodedVideo>(help: "Packets.")

  var traits: NodeTraits { NodeTraits(maximumDuration: limit) }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) {}
}
