/// A wire carries what its input takes, after an inserted decoder if need be. Encoders are never
/// inserted: which one, and with which settings, is for the graph to say.
enum MediaMismatch: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    draft.wires.compactMap { wire in
      guard let fact = WireFact(wire), let input = wire.input else { return nil }
      let problem: FitProblem
      switch PortChoice.Fit(fact.gives, fact.takes) {
      case .withEncoder:
        // What is raw already passes through a decoder as it is.
        if wire.target.flatMap({ draft.nodes[$0].type })?.role == .decoder { return nil }
        let encoders = draft.catalog.encoders(from: fact.gives, to: input.format)
        problem = .needsEncoder(fact, encoders: encoders)
      case .not: problem = .otherMedium(fact)
      default: return nil
      }
      return Diagnostic(
        .fit(problem), at: wire.to.place, node: fact.to.node, port: fact.to.port)
    }
  }
}

extension WireFact {
  /// A wire whose ports are chosen.
  init?(_ wire: DraftWire) {
    guard let output = wire.output, let input = wire.input else { return nil }
    from = PortReference(wire.from.node, output.name)
    gives = wire.format.kind
    to = PortReference(wire.to.node, input.name)
    takes = input.format.kind
  }
}

extension Catalog {
  /// The node types that encode a kind of raw media so that an input takes it.
  func encoders(from kind: MediaKind, to format: FormatConstraint) -> [String] {
    all.filter { type in
      type.role == .encoder
        && type.ports.contains { $0.direction == .input && $0.format.kind == kind.decoded }
        && type.ports.contains {
          $0.direction == .output && (try? $0.format.intersection(format)) != nil
        }
    }.map(\.name)
  }
}
