import GraphKit

/// The tracks of a transport stream that is received: video decoded, or as it leaves, and audio as it is.
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

  var portDeclarations: [PortDeclaration] {
    [Self.ports.input.declaration] + video.ports + (tracks.count > video.count ? [audio] : [])
  }

  private var video: [LiveTrack] { tracks.filter(\.isVideo) }
  private var audio: PortDeclaration { Self.ports.audio.declaration }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let demuxer = ElementSpec("tsdemux", plugin: "mpegtsdemux")
    var chain = ElementChain([demuxer], outputs: tracks.pads)
    chain.filters["in"] = [.stream { TransportClock() }]
    // Its senders are joined in the middle: a track may appear much later than another.
    for track in video {
      chain.outputElements[track.port] = [[track].decodingElement("decodebin")]
    }
    return [chain]
  }
}
