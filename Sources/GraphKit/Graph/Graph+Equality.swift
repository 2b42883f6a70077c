// Nodes are values of types that only the catalog knows, so they are compared by what a graph file
// would say of them.

extension Graph: Equatable {
  /// Graphs are equal where they have the same nodes in the same order, the same wires, and give up the
  /// same where they can't keep up.
  public static func == (a: Graph, b: Graph) -> Bool {
    a.nodes == b.nodes && Set(a.wires) == Set(b.wires) && a.whenSlow == b.whenSlow
  }
}

extension GraphNode: Equatable {
  /// Nodes are equal where their names, types, parameters and ports are.
  public static func == (a: GraphNode, b: GraphNode) -> Bool {
    a.name == b.name && a.type == b.type && a.parameters == b.parameters && a.ports == b.ports
  }
}
