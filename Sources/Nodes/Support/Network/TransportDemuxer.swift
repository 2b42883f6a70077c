import GraphKit

/// The tracks of a transport stream that is received.
struct TransportDemuxer: ElementNode {
  var tracks: [LiveTrack] = []

  init() {}

  static let declaration = NodeDeclaration<TransportDemuxer>(
    "transportDemuxer", role: .decoder, help: "The tracks of a transport stream.",
    example: "demuxer.video -> exit")

  struct Ports: PortSet {
    let input = InputPort<AnyMedia>("in", help: "The stream.")
    let video = OutputPort<AnyMedia>("video", isRequired: false, help: "The video.")
    let audio = OutputPort<AnyMedia>("audio", isRequired: false, help: "The audio.")
  }

  static let ports = Ports()

  var portDeclarations: [PortDeclaration] { [Self.ports.input.declaration] + tracks.ports }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let demuxer = ElementSpec("tsdemux", plugin: "mpegtsdemux")
    var chain = ElementChain([demuxer], outputs: tracks.pads)
    chain.filters["in"] = [.stream { TransportClock() }]
    // Its senders are joined in the middle: a track may appear much later than another.
    for track in tracks {
      chain.outputElements[track.port] = [[track].decodingElement("decodebin")]
    }
    return [chain]
  }
}
