import GStreamer
import GraphKit
import Nodes

/// An element of GStreamer as the node `gst` has it, as `graphctl nodes gst --element` shows it.
struct ElementPage: Encodable {
  /// A port, and the pad that it is.
  struct Port: Encodable {
    var name: String
    var direction: PortDirection
    var isRepeatable: Bool
    var isRequired: Bool
    var pad: String
    /// What passes there, one entry for each kind.
    var caps: [String]
  }

  /// A pad that appears while the element runs, which is no port.
  struct LaterPad: Encodable {
    var name: String
    var direction: PortDirection
    var caps: [String]
  }

  /// A property that can be set.
  struct Property: Encodable {
    /// One of the values of a property that has only some.
    struct Choice: Encodable {
      var name: String
      var help: String
    }

    var name: String
    /// What it takes, in a word: `whole number`.
    var type: String
    var minimum: String?
    var maximum: String?
    var choices: [Choice]?
    /// Its value at first, as text; `nil` where that has none.
    var standard: String?
    var isDeprecated: Bool
    var help: String

    private enum CodingKeys: String, CodingKey {
      case standard = "default"
      case name, type, minimum, maximum, choices, isDeprecated, help
    }
  }

  var element: String
  var plugin: String
  var ports: [Port]
  var laterPads: [LaterPad]
  var properties: [Property]

  /// Looks at an element that is installed.
  init(of name: String) throws(NodeError) {
    let environment = LiveEnvironment()
    let found = try environment.inspect(name)
    var node = GStreamerElement()
    node.element = name
    _ = try node.resolve(in: environment)
    (element, plugin) = (name, found.plugin)
    laterPads = found.pads.filter { $0.presence == .sometimes }.map {
      LaterPad(name: $0.name, direction: $0.direction, caps: Self.kinds(of: $0))
    }.sorted { $0.name < $1.name }
    let pads = found.pads.filter { $0.presence != .sometimes }
    ports = zip(node.portDeclarations, pads).map { port, pad in
      Port(
        name: port.name, direction: port.direction, isRepeatable: port.isRepeatable,
        isRequired: port.isRequired, pad: pad.name, caps: Self.kinds(of: pad))
    }
    // The order of templates may be another each time.
    .sorted { ($0.direction == .input ? 0 : 1, $0.pad) < ($1.direction == .input ? 0 : 1, $1.pad) }
    let all = Element(factory: name, name: "page")?.properties ?? []
    properties = all.filter { $0.name != "name" && $0.name != "parent" }.map(Property.init)
  }

  private static func kinds(of pad: ElementInspection.Pad) -> [String] {
    pad.caps.split(separator: ";").map { String($0.drop { $0 == " " }) }
  }
}

extension ElementPage.Property {
  fileprivate init(_ property: ElementProperty) {
    let (type, minimum, maximum, choices) = Self.words(for: property.kind)
    self.init(
      name: property.name, type: type, minimum: minimum, maximum: maximum,
      choices: choices?.map { Choice(name: $0.name, help: $0.help) }, standard: property.standard,
      isDeprecated: property.isDeprecated, help: property.help)
  }

  private static func words(for kind: ElementProperty.Kind)
    -> (type: String, minimum: String?, maximum: String?, choices: [ElementProperty.Choice]?)
  {
    switch kind {
    case .bool: ("true or false", nil, nil, nil)
    case .whole(let minimum, let maximum): ("whole number", minimum, maximum, nil)
    case .number(let minimum, let maximum): ("number", minimum, maximum, nil)
    case .fraction(let minimum, let maximum): ("fraction", minimum, maximum, nil)
    case .text: ("text", nil, nil, nil)
    case .caps: ("caps", nil, nil, nil)
    case .choice(let choices): ("one of", nil, nil, choices)
    case .flags(let choices): ("any of, joined by +", nil, nil, choices)
    case .other(let type): (type, nil, nil, nil)
    }
  }
}
