/// The node types that a graph may name: the built-in ones and those of plug-ins. A value: a graph
/// keeps the catalog that it was checked against.
public struct Catalog: Sendable {
  private var types: [String: Lazy<NodeType>] = [:]

  /// A catalog of some types; of two with the same name the later one holds.
  public init(_ types: [NodeType] = []) {
    for type in types { self.types[type.name] = Lazy { type } }
  }

  /// A catalog of some node types. What a listing says of a type is made when it is asked for, since
  /// a graph names few of them; of two with the same name the later one holds.
  public init(of nodes: [any Node.Type]) {
    types.reserveCapacity(nodes.count)
    for node in nodes { types[Self.name(of: node)] = Lazy { NodeType(node) } }
  }

  private static func name<N: Node>(of node: N.Type) -> String { N.declaration.name }

  /// The type of a name.
  public subscript(name: String) -> NodeType? { types[name]?.value }

  /// Every type, by role and then by name.
  public var all: [NodeType] {
    let order = NodeRole.allCases
    return types.values.map(\.value).sorted {
      (order.firstIndex(of: $0.role)!, $0.name) < (order.firstIndex(of: $1.role)!, $1.name)
    }
  }

  /// Adds a type; `false`, and no change, where the name is taken.
  public mutating func add(_ type: NodeType) -> Bool {
    guard types[type.name] == nil else { return false }
    types[type.name] = Lazy { type }
    return true
  }
}
