/// A graph that hasn't been checked yet: what rules look at.
///
/// Made from a ``GraphDocument``, or node by node for a builder: ``add(_:type:node:parameters:)``,
/// ``connect(_:to:)``, then ``check(in:)``.
struct GraphDraft {
  var catalog: Catalog
  /// The file's name, for diagnostics.
  var file: String?
  /// Where the graph starts in the file.
  var start: SourcePlace?
  var nodes: [DraftNode] = []
  /// What the document calls a node and what is several: those of a graph, or of a list's items.
  var groups: [String: NodeGroup] = [:]
  /// The nodes that are graphs of other files.
  var inclusions: [String: Inclusion] = [:]
  /// The rows of wires as they are written.
  var rows: [[DraftEnd]] = []
  /// The wires, one for each pair of neighbours in a row.
  var wires: [DraftWire] = []
  /// The wires between nodes, once each has its ports.
  private(set) var topology = Topology(nodeCount: 0, wires: [])
  /// What passes on them.
  private(set) var flow = FormatFlow(Topology(nodeCount: 0, wires: []), [], [])
  /// What it gives up where it can't keep up; `nil` where nothing says.
  var steps: [DraftStep]?
  /// Nodes whose wires can't be known, as what names them is itself wrong.
  var excused: Set<Int> = []
  /// Whether that may be any node.
  var excusesAll = false
  /// Which files the nodes' paths lead to, as far as the machine says.
  var identities: [String: FileIdentity] = [:]
  /// What is found wrong so far.
  var diagnostics: [Diagnostic] = []
  /// How much more was wrong with the file.
  var omitted = 0
  private var indices: [String: Int] = [:]

  init(catalog: Catalog, file: String? = nil) {
    self.catalog = catalog
    self.file = file
  }

  /// The index of the node of a name.
  func index(of name: String) -> Int? { indices[name] }

  /// The names of the nodes, each once, and of their groups.
  var names: [String] {
    nodes.indices.map { nodes[$0].name.value }.enumerated()
      .filter { indices[$0.element] == $0.offset }.map(\.element) + groups.keys.sorted()
  }

  /// Whether there is a node or a group of a name.
  func has(_ name: String) -> Bool { indices[name] != nil || groups[name] != nil }

  mutating func add(_ node: DraftNode) {
    if !has(node.name.value) {
      indices[node.name.value] = nodes.count
    } else {
      let problem = Problem.fit(.duplicateNode(node.name.value))
      report(problem, at: node.name.place, node: node.name.value)
      excused.insert(nodes.count)
    }
    nodes.append(node)
  }

  /// Leaves out the nodes of which `isKept` is false.
  mutating func keep(_ isKept: (DraftNode) -> Bool) {
    let names = Set(excused.map { nodes[$0].name.value })
    nodes.removeAll { !isKept($0) }
    indices = Dictionary(
      nodes.enumerated().map { ($1.name.value, $0) }, uniquingKeysWith: { first, _ in first })
    excused = Set(names.compactMap { indices[$0] })
  }

  /// Works out what passes on each wire, now that each has its ports.
  mutating func settleFormats() {
    topology = Topology(nodeCount: nodes.count, wires: wires.map(\.ends))
    findFlow()
    for node in topology.order where adoptFormats(node) { findFlow() }
    for index in wires.indices where wires[index].output != nil {
      wires[index].format = flow.formats[index]
    }
  }

  private mutating func findFlow() {
    flow = FormatFlow(
      topology, nodes.map { FormatFlow.Station(node: $0.node, ports: $0.ports) },
      wires.map { FormatFlow.Path(output: $0.output, input: $0.input) })
  }

  /// Has a node of many inputs see what arrives there; whether its ports say more then.
  private mutating func adoptFormats(_ node: Int) -> Bool {
    let isAsked = nodes[node].ports.contains { $0.isRepeatable && $0.direction == .input }
    guard isAsked, nodes[node].isSound else { return false }
    let arriving = topology.incoming[node].compactMap { wire in
      wires[wire].input.map { ($0.name, flow.arriving(on: wire)) }
    }
    let formats = Dictionary(arriving, uniquingKeysWith: { first, _ in first })
    guard nodes[node].node?.adopt(formats: formats) == true else { return false }
    nodes[node].ports = nodes[node].node?.portDeclarations ?? []
    for wire in topology.incoming[node] {
      wires[wire].input = wires[wire].input.flatMap { nodes[node].port($0.name, .input) }
    }
    for wire in topology.outgoing[node] {
      wires[wire].output = wires[wire].output.flatMap { nodes[node].port($0.name, .output) }
    }
    return true
  }

  mutating func report(
    _ problem: Problem, at place: SourcePlace?, node: String? = nil, port: String? = nil,
    key: String? = nil
  ) {
    diagnostics.append(Diagnostic(problem, at: place, node: node, port: port, key: key))
  }
}

extension GraphDraft {
  /// Adds a configured node.
  /// - Parameter parameters: the values that differ from the type's defaults.
  mutating func add(
    _ name: String, type: NodeType, node: any Node, parameters: [String: JSONValue]
  ) {
    let fields = parameters.sorted { $0.key < $1.key }.map {
      DraftField(key: Located($0.key), value: Located($0.value), isUntyped: false)
    }
    if !isNodeName(name) { report(.document(.badName(name)), at: nil, node: name) }
    add(
      DraftNode(
        name: Located(name), typeName: Located(type.name), type: type, node: node, fields: fields))
  }

  /// Gives a node's parameter keyframes in place of what it has.
  mutating func animate(_ name: String, _ parameter: String, _ keyframes: [Keyframe]) {
    guard let index = index(of: name) else { return }
    nodes[index].fields.removeAll { $0.key.value == parameter }
    let value = JSONValue.array(keyframes.map(\.json))
    nodes[index].fields.append(
      DraftField(key: Located(parameter), value: Located(value), isUntyped: false))
  }

  /// Wires two nodes; a port that is `nil` is the one that fits.
  mutating func connect(
    _ from: (node: String, port: String?), to: (node: String, port: String?)
  ) {
    rows += expanded([
      DraftEnd(node: from.node, port: from.port), DraftEnd(node: to.node, port: to.port),
    ])
  }
}

/// A node that is being checked.
struct DraftNode {
  var name: Located<String>
  /// The name of its type, where it has one.
  var typeName: Located<String>?
  /// Its type, where there is such a type.
  var type: NodeType?
  /// The node itself, configured as far as its fields hold.
  var node: (any Node)?
  var fields: [DraftField] = []
  /// Whether what is wired to a port that it turns out to lack is left out of the graph.
  var isOptional = false
  /// Keys whose value refers to a parameter without one.
  var unset: Set<String> = []
  /// Whether nothing is wrong with the node itself, so that its ports can be trusted.
  var isSound = true
  var notices: [String] = []
  /// The ports, once the node has looked at the machine.
  var ports: [PortDeclaration] = []

  /// Where the value of a key stands, or else the node.
  ///
  /// `properties.method` is what the value of `properties` has under `method`, and
  /// `bands[1].gain` what the second value of `bands` has under `gain`.
  func place(of key: String?) -> SourcePlace? {
    guard let key else { return name.place }
    let end = key.firstIndex { $0 == "." || $0 == "[" } ?? key.endIndex
    let field = fields.first { $0.key.value == key[..<end] }
    let inner = key[end...].drop { $0 == "." }
    return field?.places[String(inner)] ?? field?.value.place ?? name.place
  }

  /// The ports of a direction.
  func ports(_ direction: PortDirection) -> [PortDeclaration] {
    ports.filter { $0.direction == direction }
  }

  /// The port that a name stands for; of a repeatable one the instance: `audio.2`.
  func port(_ name: String, _ direction: PortDirection) -> PortDeclaration? {
    if let port = ports.first(where: { $0.name == name && $0.direction == direction }) {
      return port
    }
    guard let (base, _) = PortDeclaration.instance(name) else { return nil }
    let repeated = ports.first {
      $0.name == base && $0.direction == direction && $0.isRepeatable
    }
    guard var port = repeated else { return nil }
    port.name = name
    return port
  }
}

/// A node in a row of wires.
struct DraftEnd {
  var node: String
  var port: String?
  var place: SourcePlace?
  /// Whether wires both enter and leave here, so that the port may be either's.
  var isMiddle = false
  /// The number of the list's item that the wire comes from, where it comes from one of several.
  var item: Int?
}

/// A wire that is being checked.
struct DraftWire {
  var from: DraftEnd
  var to: DraftEnd
  /// The nodes' indices, where there are such nodes.
  var source: Int?
  var target: Int?
  /// The ports, once they are chosen.
  var output: PortDeclaration?
  var input: PortDeclaration?
  /// What passes, as far as it is known.
  var format = FormatConstraint(.any)
  /// Whether the wire can't be, as an end names what isn't there.
  var isVoid = false

  /// The nodes that the wire joins, where it can be.
  var ends: Topology.Ends? {
    guard !isVoid, let source, let target, source != target else { return nil }
    return (source, target)
  }
}
