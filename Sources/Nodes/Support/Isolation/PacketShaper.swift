import GraphKit

/// Hands on the packets of a file as a sink of another process takes them, which has no parser then.
struct PacketShaper: ElementNode {
  private var demand = PacketDemand()

  init() {}

  init(_ demand: PacketDemand) { self.demand = demand }

  static let declaration = NodeDeclaration<PacketShaper>(
    "packetShaper", role: .general, help: "Frames packets as a sink elsewhere takes them.",
    example: "")

  static let ports = EffectPorts<AnyMedia>()

  var traits: NodeTraits { NodeTraits(copiesRanges: demand.copiesRanges) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let filter = ElementSpec("capsfilter", plugin: "coreelements", ["caps": demand.caps])
    var chain = ElementChain(demand.parsers + [filter])
    chain.output = ShapedPackets(demand)
    return [chain]
  }
}

/// The file of the sink that packets are framed for, as far as it matters to what comes before it.
private struct ShapedPackets: FileOutput {
  private let demand: PacketDemand

  init(_ demand: PacketDemand) { self.demand = demand }

  var file: OutputFile? { nil }

  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "packets")
    (rules.haveOneFormat, rules.needTimes) = (false, false)
    (rules.skipLeads, rules.leaveOutUnpresented) = (demand.skipsLeads, true)
    return rules
  }
}
