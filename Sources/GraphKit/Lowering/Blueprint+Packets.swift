import GStreamer

/// Packets that another process reads, and hands over as a sink takes them.
extension Blueprint {
  /// Whether a wire carries such packets.
  func isHandedOver(_ wire: PlanWire) -> Bool { fileStream(wire.from)?.isHandedOver == true }

  /// The elements that a wire's packets pass here before the pad of a chain. What is copied in pieces
  /// stays framed as it is in its file, and the parsers of what is handed over are where it is read.
  func elements(before wire: PlanWire, of chain: ElementChain) -> [ElementSpec] {
    if isRoute(wire) { return [] }
    let specs = chain.entry(of: wire.to.port, in: chain.inputElements) ?? []
    return isHandedOver(wire) ? Array(specs.drop(while: \.isParser)) : specs
  }
}

extension ElementPart {
  /// What inputs ask of packets that are handed over.
  func demands(_ blueprint: Blueprint) -> [PortReference: PacketDemand] {
    blueprint.plan.wires.filter(blueprint.isHandedOver).reduce(into: [:]) { demands, wire in
      guard let chain = blueprint.chain(of: wire.to.node) else { return }
      var demand = PacketDemand()
      let specs = chain.entry(of: wire.to.port, in: chain.inputElements) ?? []
      demand.parsers = Array(specs.prefix(while: \.isParser))
      demand.caps = entrances[wire.to]?.possibleCaps?.description(of: wire) ?? demand.caps
      demand.skipsLeads = chain.output?.tracks?.skipsLeads(of: wire.format) ?? false
      demand.copiesRanges = blueprint.copiesRange(wire)
      demand.areAsInFile = blueprint.wiresOfPieces(from: wire.from.node) != nil
      demands[wire.to] = demand
    }
  }
}

extension Caps {
  /// What these have for the media of a wire: muxers list all that they take.
  fileprivate func description(of wire: PlanWire) -> String {
    let media = wire.format.kind == .text ? "text/x-raw" : wire.format.codecs.first?.mediaType
    let own = media.flatMap { Caps($0) }.map(intersection)?.description
    return own.flatMap { $0 == "EMPTY" ? nil : $0 } ?? description
  }
}
