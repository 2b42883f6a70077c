/// Makes the nodes that stand between an output and an input which don't agree.
struct Bridge {
  /// The nodes made so far.
  private(set) var nodes: [PlanNode] = []

  private let catalog: Catalog
  private var names: FreeNames
  /// Branches of one output that need the same share it: nothing is decoded twice.
  private var shared: [Purpose: PlanNode] = [:]

  private struct Purpose: Hashable {
    let from: PortReference
    let type: String
    let settings: [String: JSONValue]
    /// What a converter makes; of values that are left to the run no setting tells.
    var target: FormatConstraint?
  }

  init(catalog: Catalog, names: some Sequence<String>) {
    self.catalog = catalog
    self.names = FreeNames(taken: Set(names))
  }

  /// The wires that lead from an output to an input, through what has to be between them.
  ///
  /// Where `keepsSamples`, audio whose sample format only the run shows is converted only if it is
  /// none that the input takes.
  mutating func span(
    _ wire: PlanWire, _ offer: Offer, wish: FormatConstraint, keepsSamples: Bool = false
  ) throws(PlanError) -> [PlanWire] {
    var (wires, from, offer) = ([PlanWire](), wire.from, offer)
    if offer.format.kind.isEncoded, offer.format.kind.decoded == wish.kind {
      let purpose = Purpose(from: from, type: "decoder", settings: ["media": media(of: wish)])
      let decoder = try station(purpose, offer, on: wire, adding: &wires)
      offer = try output(of: decoder, on: wire, getting: offer.format)
      from = PortReference(decoder.name, try port(.output, of: decoder, on: wire).name)
    }
    if let common = offer.accepted(for: wish) {
      return wires + [PlanWire(from: from, to: wire.to, format: common, lowering: .link)]
    }
    try checkConvertible(wire, offer, wish: wish)
    let target = offer.converted(for: wish, keepsSamples: keepsSamples)
    let type = target.kind == .audio ? "audioConvert" : "videoConvert"
    var settings = settings(for: target, wish: wish, from: offer.format)
    if target.kind == .audio, keepsSamples || offer.isExact(in: target) && target.isCoarse {
      settings["dither"] = .bool(false)
    }
    let purpose = Purpose(from: from, type: type, settings: settings, target: target)
    let converter = try station(purpose, offer, on: wire, adding: &wires)
    let out = PortReference(converter.name, try port(.output, of: converter, on: wire).name)
    return wires + [PlanWire(from: out, to: wire.to, format: target, lowering: .link)]
  }

  private func media(of wish: FormatConstraint) -> JSONValue {
    .string(wish.kind == .audio ? "audio" : "video")
  }

  /// Only raw media of the right kind can be converted.
  private func checkConvertible(
    _ wire: PlanWire, _ offer: Offer, wish: FormatConstraint
  ) throws(PlanError) {
    let kinds: [MediaKind] = [.audio, .video]
    let kind = wish.kind == .any ? offer.format.kind : wish.kind
    guard kinds.contains(kind), offer.format.kind == kind || offer.format.kind == .any else {
      throw .noConversion(from: wire.from, to: wire.to, conflict(offer.format, wish))
    }
  }

  private func conflict(_ given: FormatConstraint, _ taken: FormatConstraint) -> FormatConflict {
    do { _ = try given.intersection(taken) } catch { return error }
    return FormatConflict(field: "kind", first: given.kind.spoken, second: taken.kind.spoken)
  }

  /// The parameters of a converter: the fields that it must change, or that aren't sure.
  private func settings(
    for target: FormatConstraint, wish: FormatConstraint, from given: FormatConstraint
  ) -> [String: JSONValue] {
    var settings: [String: JSONValue] = [:]
    for field in FormatField.all where !field.isOpen(wish) && !field.agrees(given, target) {
      settings[field.name] = field.value(target)
    }
    return settings
  }

  /// The node for a purpose: the one that another branch has already, or a new one with the wire
  /// that leads to it.
  private mutating func station(
    _ purpose: Purpose, _ offer: Offer, on wire: PlanWire, adding wires: inout [PlanWire]
  ) throws(PlanError) -> PlanNode {
    if let node = shared[purpose] { return node }
    let node = try insert(purpose, on: wire)
    try wires.append(connect(purpose.from, offer, to: node))
    shared[purpose] = node
    return node
  }

  private mutating func insert(
    _ purpose: Purpose, on wire: PlanWire
  ) throws(PlanError) -> PlanNode {
    let (typeName, settings) = (purpose.type, purpose.settings)
    guard let type = catalog[typeName] else {
      throw .missingType(typeName, from: wire.from, to: wire.to)
    }
    let verb = type.role == .decoder ? "decode" : "convert"
    var node = type.make()
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard type.set(name, to: value, of: &node) else {
        throw .refusedParameter(
          name, value: value.plain, type: typeName, from: wire.from, to: wire.to)
      }
    }
    let made = PlanNode(
      name: names.take("\(verb):\(wire.from.node)-\(wire.to.node)"), type: type, node: node,
      parameters: settings, ports: node.portDeclarations, isInserted: true, stage: nil)
    nodes.append(made)
    return made
  }

  private func port(
    _ direction: PortDirection, of node: PlanNode, on wire: PlanWire
  ) throws(PlanError) -> PortDeclaration {
    guard let port = node.ports.first(where: { $0.direction == direction }) else {
      throw .missingType(node.type.name, from: wire.from, to: wire.to)
    }
    return port
  }

  private func output(
    of node: PlanNode, on wire: PlanWire, getting format: FormatConstraint
  ) throws(PlanError) -> Offer {
    let (input, output) = (
      try port(.input, of: node, on: wire), try port(.output, of: node, on: wire)
    )
    return node.offer(of: output, wish: nil, arriving: [input.name: format])
  }

  private func connect(
    _ from: PortReference, _ offer: Offer, to node: PlanNode
  ) throws(PlanError) -> PlanWire {
    let start = PlanWire(
      from: from, to: PortReference(node.name, ""), format: offer.format, lowering: .link)
    let input = try port(.input, of: node, on: start)
    let to = PortReference(node.name, input.name)
    do {
      let common = try offer.format.intersection(input.format)
      return PlanWire(from: from, to: to, format: common, lowering: .link)
    } catch {
      throw .noConversion(from: from, to: to, error)
    }
  }
}

extension FormatConstraint {
  /// Whether its steps are so large that a converter adds noise.
  fileprivate var isCoarse: Bool { (sampleFormats.first?.exactBits ?? .max) <= 16 }
}
