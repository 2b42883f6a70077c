@testable import GraphKit

/// A graph written down in a test: nodes by name, wires as text.
struct Sketch {
  var nodes: [GraphNode] = []
  var wires: [GraphWire] = []
  var catalog = Catalog([
    NodeType(FakeVideoConvert.self), NodeType(FakeAudioConvert.self), NodeType(FakeDecoder.self),
  ])

  /// What it gives up where it can't keep up.
  var whenSlow: [EconomyStep]? = []

  var graph: Graph {
    Graph(nodes: nodes, wires: wires, notices: [], catalog: catalog, whenSlow: whenSlow)
  }

  /// A plan with nothing decided.
  var plan: Plan { get throws { try Plan(graph, passes: []) } }

  func planned(_ passes: any PlanPass...) throws -> Plan { try Plan(graph, passes: passes) }

  mutating func add<N: FakeNode>(
    _ name: String, _ type: N.Type, _ ports: [PortDeclaration], latency: Double = 0,
    isLive: Bool = false, parameters: [String: JSONValue] = [:]
  ) {
    var node = N()
    node.fakePorts = ports
    node.fakeLatency = MediaTime(value: Int64(latency * 1000), timescale: 1000)
    node.fakeIsLive = isLive
    nodes.append(
      GraphNode(
        name: name, type: NodeType(N.self), parameters: parameters, node: node, ports: ports,
        place: nil))
  }

  /// Wires written as in a graph file; a port left out is `out` or `in`.
  mutating func wire(_ texts: String...) {
    for text in texts {
      let ends = text.split(separator: " ").filter { $0 != "->" }.map(String.init)
      for (from, to) in zip(ends, ends.dropFirst()) {
        wires.append(
          GraphWire(
            from: reference(from, leaving: "out"), to: reference(to, leaving: "in"), place: nil))
      }
    }
  }

  private func reference(_ text: String, leaving port: String) -> PortReference {
    let parts = text.split(separator: ".").map(String.init)
    guard parts.count > 1 else { return PortReference(parts[0], port) }
    // In the middle of a chain only the input's port is written.
    let node = nodes.first { $0.name == parts[0] }
    let direction: PortDirection = port == "out" ? .output : .input
    let fits = node?.ports.contains { $0.name == parts[1] && $0.direction == direction } ?? true
    return PortReference(parts[0], fits ? parts[1] : port)
  }
}

/// An input port.
func input(_ format: FormatConstraint, _ name: String = "in") -> PortDeclaration {
  PortDeclaration(name, .input, format, help: "")
}

/// An output port.
func output(
  _ format: FormatConstraint, _ name: String = "out", follows: String? = nil
) -> PortDeclaration {
  PortDeclaration(name, .output, format, follows: follows, help: "")
}

/// The ports of an effect that works in place.
func through(_ format: FormatConstraint) -> [PortDeclaration] {
  [input(format), output(format, follows: "in")]
}
