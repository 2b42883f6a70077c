import GraphKit

/// Sends video and audio as an MPEG transport stream in datagrams of UDP, as time passes.
///
/// Nothing says whether a datagram arrives, so that a network which is gone holds nothing up.
public struct UDPSink: ElementNode {
  /// The name or address of the receiver, or of a group of them (multicast).
  public var host = ""
  /// The receiver's port.
  public var port = 5_004
  /// How many routers a datagram to a group may pass.
  public var hops = 1

  /// A sink whose receiver is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<UDPSink>(
    "udpSink", role: .sink, help: "Sends an MPEG transport stream in datagrams of UDP.",
    example: "encoder -> network.video",
    parameters: [
      .string(
        "host", \.host, required: true,
        help: "The name or address of the receiver, or of a group (multicast)."),
      .integer("port", \.port, in: 1...65_535, help: "The receiver's port."),
      .integer(
        "hops", \.hops, in: 1...255, help: "Routers that a datagram to a group may pass."),
    ])

  public static let ports = TransportPorts()

  public var problem: NodeError? { NetworkAddress.problem(host: host) }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? { .turned(in: formats) }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let sender = ElementSpec(
      "udpsink", plugin: "udp",
      [
        "host": host, "port": "\(port)", "ttl-mc": "\(hops)", "sync": "true", "async": "false",
      ])
    return [try TransportMuxer().chain(formats, ["alignment": "7"], to: [sender])]
  }
}
