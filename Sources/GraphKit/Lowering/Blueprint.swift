/// What follows from a plan before any element is made: which elements its nodes are, which files
/// they read and write, and what that means for wires. A value, without GStreamer.
struct Blueprint: Sendable {
  /// An element node and the elements that were chosen for it.
  struct Row: Sendable {
    let node: PlanNode
    let chain: ElementChain
  }

  let plan: Plan
  let rows: [Row]
  /// The wires that lead to previews alone, beside others.
  let asideWires: Set<PlanWire>
  /// The nodes whose samples come, in the end, from a source that doesn't wait.
  let liveNodes: Set<String>
  /// What ends wires that lead to limited sinks.
  let limits: [PlanWire: Plan.WireLimit]
  /// The sources whose samples are copied in pieces.
  private(set) var routes: [String: PieceRoute] = [:]
  private let asideNodes: Set<String>
  private let rowNumbers: [String: Int]

  /// Throws where none of an element node's alternatives is installed.
  init(_ plan: Plan, environment: any Environment) throws(PipelineFailure) {
    self.plan = plan
    var rows: [Row] = []
    for node in plan.nodes {
      guard let element = node.node.work.elementNode else { continue }
      rows.append(Row(node: node, chain: try plan.choose(element, node, environment)))
    }
    self.rows = rows
    rowNumbers = Dictionary(
      rows.enumerated().map { ($1.node.name, $0) }, uniquingKeysWith: { first, _ in first })
    asideWires = plan.asideWires
    asideNodes = Set(asideWires.map(\.to.node))
    liveNodes = plan.names(reachedFrom: plan.nodes.filter(\.node.traits.isLive).map(\.name))
    limits = plan.sessionLimits()
    for row in rows { routes[row.node.name] = findRoute(from: row.node.name) }
  }

  /// The plug-ins to load; `nil` for all, where an element's plug-in isn't known by name.
  var plugins: Set<String>? {
    if plan.nodes.contains(where: \.node.traits.needsAllPlugins) { return nil }
    var names: Set<String> = []
    for spec in rows.flatMap(\.chain.allElements) {
      guard let plugin = spec.plugin else { return nil }
      names.insert(plugin)
    }
    return names
  }

  /// Whether a node is a sink that no other node waits for.
  func isAside(_ node: String) -> Bool { asideNodes.contains(node) }

  /// The elements that were chosen for a node.
  func chain(of node: String) -> ElementChain? { rowNumbers[node].map { rows[$0].chain } }

  /// The file that elements write for a node.
  func output(of node: String) -> (any FileOutput)? { chain(of: node)?.output }

  /// The stream of a file that elements read, or that is put together of its parts.
  func fileStream(_ port: PortReference) -> FileStream? {
    plan[port.node]?.node.fileStreams?[port.port]
  }
}

extension Plan {
  /// The first of a node's alternatives whose elements are all installed.
  fileprivate func choose(
    _ element: any ElementNode, _ node: PlanNode, _ environment: any Environment
  ) throws(PipelineFailure) -> ElementChain {
    let alternatives: [ElementChain]
    do {
      alternatives = try element.elements(in: environment, formats: formats(at: node.name))
    } catch {
      throw PipelineFailure(node: node.name, error)
    }
    let isThere = { (chain: ElementChain) in chain.allElements.allSatisfy(environment.isInstalled) }
    if let chain = alternatives.first(where: isThere) { return chain }
    let wanted = alternatives.map { $0.elements.map(\.factory).joined(separator: " ! ") }
    throw PipelineFailure(
      node: node.name,
      message: "none of its elements is installed: \(wanted.joined(separator: ", or "))",
      remedy: "install the GStreamer plug-ins that hold them")
  }
}

extension Blueprint {
  /// The encoders whose frames come to a node, each once.
  func encoders(before node: String) -> [String] {
    var (found, pending, seen) = ([String](), [node], Set([node]))
    while let next = pending.popLast() {
      for wire in plan.inputs(of: next) where wire.format.kind == .encodedVideo {
        let maker = wire.from.node
        guard seen.insert(maker).inserted else { continue }
        let takesFrames = plan.inputs(of: maker).contains { $0.format.kind == .video }
        if takesFrames { found.append(maker) } else { pending.append(maker) }
      }
    }
    return found
  }
}
