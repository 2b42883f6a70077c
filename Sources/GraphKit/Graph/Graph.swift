/// A valid graph: every node's parameters hold, every wire fits, nothing is left open.
///
/// It can't exist unchecked: it is made from a ``GraphDocument`` by
/// ``init(checking:catalog:environment:set:)`` or by a ``GraphBuilder``, and its holder needn't
/// check again.
public struct Graph: Sendable {
  /// The nodes, in the order of the file.
  public let nodes: [GraphNode]
  /// The wires, one for each pair of ports.
  public let wires: [GraphWire]
  /// What the user should know of a valid graph, such as a test pattern in place of a camera.
  public let notices: [Notice]
  /// The catalog that the graph was checked against.
  public let catalog: Catalog
  /// What is superfluous in the graph, such as a parameter that nothing uses.
  public let warnings: [Diagnostic]
  /// The nodes that are graphs of other files, by their names, and those files. What they are made
  /// of is in ``nodes``, with the graph's name and a `/` before each name.
  public let includedGraphs: [String: String]

  /// What the graph gives up where it has live sources and can't keep up, in this order; `nil` where it
  /// doesn't say, which stands for ``EconomyStep/standard``.
  public let whenSlow: [EconomyStep]?

  init(
    nodes: [GraphNode], wires: [GraphWire], notices: [Notice], catalog: Catalog,
    warnings: [Diagnostic] = [], includedGraphs: [String: String] = [:],
    whenSlow: [EconomyStep]? = nil
  ) {
    self.whenSlow = whenSlow
    self.includedGraphs = includedGraphs
    self.nodes = nodes
    self.wires = wires
    self.notices = notices
    self.catalog = catalog
    self.warnings = warnings
    numbers = Dictionary(
      nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private let numbers: [String: Int]

  /// The node of a name.
  public subscript(name: String) -> GraphNode? { numbers[name].map { nodes[$0] } }
}

/// A node in its place in a graph.
public struct GraphNode: Sendable {
  /// The name that wires use.
  public let name: String
  /// The node's type.
  public let type: NodeType
  /// The values that the graph gives, with `${…}` replaced.
  public let parameters: [String: JSONValue]
  /// The configured node, which has looked at the machine.
  public let node: any Node
  /// The node's ports; of a repeatable input those that are wired (`audio`, `audio.2`).
  public let ports: [PortDeclaration]
  /// Where the graph file has the node.
  public let place: SourcePlace?
}

/// A connection from an output to an input.
public struct GraphWire: Hashable, Sendable {
  /// The output.
  public let from: PortReference
  /// The input.
  public let to: PortReference
  /// Where the graph file has the wire's end.
  public let place: SourcePlace?

  /// Wires are equal where they join the same ports, wherever a file has them.
  public static func == (a: Self, b: Self) -> Bool { a.from == b.from && a.to == b.to }
  /// Hashes the ports.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(from)
    hasher.combine(to)
  }
}

/// Something that the user should know although nothing is wrong.
public struct Notice: Hashable, Sendable, Codable {
  /// The node that it is about.
  public var node: String
  /// One sentence.
  public var message: String
}
