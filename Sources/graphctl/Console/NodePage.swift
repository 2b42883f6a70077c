import GraphKit

/// All that a node type declares, as `graphctl nodes` shows it.
struct NodePage: Encodable {
  var name: String
  var role: NodeRole
  var help: String
  var example: String
  var ports: [Port]
  var parameters: [Value]
  /// The GStreamer elements that a node with default parameters is made of; none for a node that is
  /// written in Swift.
  var elements: [String]
  /// Whether elements do the work, though which ones may depend on the graph.
  var isMadeOfElements: Bool
  /// Whether it is a graph of other nodes.
  var isGraph = false

  private enum CodingKeys: String, CodingKey {
    case name, role, help, example, ports, parameters, elements
  }

  /// A port of the page.
  struct Port: Encodable {
    var name: String
    var direction: PortDirection
    var format: String
    var isRepeatable: Bool
    var isRequired: Bool
    var help: String
  }

  /// A parameter of the page.
  struct Value: Encodable {
    var name: String
    var type: String
    var minimum: Double?
    var maximum: Double?
    var choices: [String]?
    var unit: String?
    var defaultValue: JSONValue?
    var isRequired: Bool
    var isLive: Bool
    /// The value with which the node has least to do, where it has one.
    var economy: JSONValue?
    var help: String

    private enum CodingKeys: String, CodingKey {
      case name, type, minimum, maximum, choices, unit
      case defaultValue = "default"
      case isRequired, isLive, economy, help
    }
  }

  init(_ type: NodeType) {
    (name, role, help, example) = (type.name, type.role, type.help, type.example)
    ports = type.ports.map { port in
      Port(
        name: port.name, direction: port.direction, format: port.format.description,
        isRepeatable: port.isRepeatable, isRequired: port.isRequired, help: port.help)
    }
    parameters = type.parameters.map(Value.init)
    elements = Self.elements(of: type)
    isMadeOfElements = type.make().work.elementNode != nil
  }

  private static func elements(of type: NodeType) -> [String] {
    guard let node = type.make().work.elementNode else { return [] }
    let formats = Dictionary(
      type.ports.map { ($0.name, $0.format) }, uniquingKeysWith: { first, _ in first })
    let chains = try? node.elements(in: LiveEnvironment(), formats: formats)
    let factories = (chains ?? []).flatMap { chain in
      chain.inputElements.sorted { $0.key < $1.key }.flatMap(\.value) + chain.elements
    }
    return factories.map(\.factory).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension NodePage.Value {
  init(_ parameter: NodeType.ParameterInfo) {
    self.init(
      name: parameter.name, type: "", unit: parameter.unit, defaultValue: parameter.defaultValue,
      isRequired: parameter.isRequired, isLive: parameter.isLive,
      economy: parameter.economy, help: parameter.help)
    switch parameter.kind {
    case .bool: type = "bool"
    case .integer(let range):
      type = "integer"
      (minimum, maximum) = (Double(range.lowerBound), Double(range.upperBound))
    case .number(let range):
      type = "number"
      (minimum, maximum) = (range.lowerBound, range.upperBound)
    case .numberOrWord(let range, let word):
      type = "number"
      (minimum, maximum) = (range.lowerBound, range.upperBound)
      choices = [word]
    case .string: type = "string"
    case .path: type = "path"
    case .rational: type = "fraction"
    case .object, .record: type = "object"
    case .list(let item, _), .tuple(let item, _):
      type = item.isRecord ? "list of objects" : "list"
    case .choice(let words):
      type = "choice"
      choices = words
    }
  }
}

extension ParameterKind {
  fileprivate var isRecord: Bool {
    guard case .record = self else { return false }
    return true
  }
}
