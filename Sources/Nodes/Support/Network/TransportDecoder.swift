import GraphKit

/// The audio of a transport stream as it leaves: decoded, or framed.
struct TransportDecoder: ElementNode {
  var track = LiveTrack(isVideo: false, codec: nil)

  init() {}

  static let declaration = NodeDeclaration<TransportDecoder>(
    "transportDecoder", role: .decoder, help: "The audio of a transport stream as it leaves.",
    example: "frames -> decoder.in")

  struct Ports: PortSet {
    let input = InputPort<AnyMedia>("in", help: "The audio as it comes.")
    let audio = OutputPort<AnyMedia>("audio", isRequired: false, help: "The audio.")
  }

  static let ports = Ports()

  var portDeclarations: [PortDeclaration] { [Self.ports.input.declaration] + [track].ports }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    [ElementChain([[track].decodingElement("decodebin")], outputs: [track].pads)]
  }
}
