/// The keys of a node in a graph file that are none of its type's parameters.
enum NodeKey {
  /// The node type's name.
  static let type = "type"
  /// A list: a node is made for each item, which `${item}` stands for.
  static let foreach = "foreach"
  /// Whether what is wired to a port that the node turns out to lack is left out of the graph.
  static let optional = "optional"
}
