import GraphKit

/// What receives a transport stream over a network.
struct TransportReceiver: ElementNode {
  var element = ElementSpec("udpsrc", plugin: "udp")

  init() {}

  static let declaration = NodeDeclaration<TransportReceiver>(
    "transportReceiver", role: .source, help: "Receives a transport stream over a network.",
    example: "receiver -> demuxer")

  static let ports = SourcePorts<AnyMedia>(help: "The stream.")

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let caps = "video/mpegts, systemstream=(boolean)true"
    let format = ElementSpec("capsfilter", plugin: "coreelements", ["caps": caps])
    return [ElementChain([element, format], inputs: [:])]
  }
}
