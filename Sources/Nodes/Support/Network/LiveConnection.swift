import GraphKit
import GraphKitSystem

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

  var portDeclarations: [PortDeclaration] {
    tracks.map { track in
      let format = track.codec.map { FormatConstraint.encoded($0) }
      return PortDeclaration(
        track.port, .output, format ?? FormatConstraint(track.isVideo ? .video : .audio),
        isRequired: false, help: "The \(track.port).")
    }
  }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    [address.chain(transport, tracks)]
  }
}
