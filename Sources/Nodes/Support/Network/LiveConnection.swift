import GraphKit

/// The elements of one connection to what sends a live stream.
struct LiveConnection: ElementNode {
  var address = LiveAddress(uri: "")
  var transport = LiveStream.Transport.auto
  var tracks: [LiveTrack] = []

  init() {}

  static let declaration = NodeDeclaration<LiveConnection>(
    "liveConnection", role: .source, help: "One connection of a live stream.",
    example: "connection.video -> exit")

  static let ports = LiveStream.Ports()

  var portDeclarations: [PortDeclaration] { tracks.ports }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let element = address.decodingReceiver(transport, tracks)
    return [ElementChain([element], inputs: [:], outputs: tracks.pads)]
  }
}
