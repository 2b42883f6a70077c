/// A node type without its Swift type: what a catalog lists.
public struct NodeType: Sendable, Hashable, CustomStringConvertible {
  /// A parameter without its Swift type.
  public struct ParameterInfo: Sendable {
    /// The key in graph files.
    public let name: String
    /// One line of help.
    public let help: String
    /// What values it takes.
    public let kind: ParameterKind
    /// The unit of its values.
    public let unit: String?
    /// Whether it may change while the graph runs.
    public let isLive: Bool
    /// Whether a graph must give it.
    public let isRequired: Bool
    /// The value with which a node has least to do, where it has one; see ``Parameter/economy``.
    public let economy: JSONValue?
    /// The value that holds where a graph gives none; `nil` where the node then decides.
    public let defaultValue: JSONValue?
    let read: @Sendable (any Node) -> JSONValue?
    let write: @Sendable (inout any Node, JSONValue) -> Bool
  }

  /// The name in graph files.
  public let name: String
  /// The section of the type in listings.
  public let role: NodeRole
  /// One line of help.
  public let help: String
  /// What becomes of a stream in such a node; see ``NodeDeclaration/phrase``.
  public let phrase: String?
  /// An example wire.
  public let example: String
  /// The parameters, in the order of listings.
  public var parameters: [ParameterInfo] { details.value.parameters }
  /// The ports that every node of the type has.
  public var ports: [PortDeclaration] { details.value.ports }
  /// A node with every parameter at its default.
  public let make: @Sendable () -> any Node
  private let details: Lazy<Details>

  /// What only those types are asked for that a graph names.
  private struct Details: Sendable {
    var parameters: [ParameterInfo]
    var ports: [PortDeclaration]
  }

  /// Erases a node's Swift type.
  public init<N: Node>(_ type: N.Type) {
    let declaration = N.declaration
    name = declaration.name
    role = declaration.role
    help = declaration.help
    phrase = declaration.phrase
    example = declaration.example
    make = { N() }
    details = Lazy {
      Details(
        parameters: Self.parameters(of: type, declaration), ports: N.ports.declarations)
    }
  }

  private static func parameters<N: Node>(
    of type: N.Type, _ declaration: NodeDeclaration<N>
  ) -> [ParameterInfo] {
    let defaults = N()
    return declaration.parameters.map { parameter in
      ParameterInfo(
        name: parameter.name, help: parameter.help, kind: parameter.kind, unit: parameter.unit,
        isLive: parameter.isLive, isRequired: parameter.isRequired, economy: parameter.economy,
        defaultValue: parameter.isRequired ? nil : parameter.read(defaults),
        read: { node in (node as? N).flatMap { parameter.read($0) } },
        write: { node, value in
          guard var typed = node as? N, parameter.write(&typed, value) else { return false }
          node = typed
          return true
        })
    }
  }

  /// Sets a parameter; `false` where there is no such parameter or it doesn't take the value.
  public func set(_ name: String, to value: JSONValue, of node: inout any Node) -> Bool {
    parameters.first { $0.name == name }?.write(&node, value) ?? false
  }

  /// The parameters of a node that aren't at their defaults: what a graph file has to say of it.
  public func values(of node: any Node) -> [String: JSONValue] {
    let changed = parameters.compactMap { parameter in
      parameter.read(node).flatMap { value in
        value == parameter.defaultValue ? nil : (parameter.name, value)
      }
    }
    return Dictionary(changed, uniquingKeysWith: { $1 })
  }

  public static func == (a: NodeType, b: NodeType) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  public var description: String { name }
}
