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

  /// A property that can be set.
  struct Property: Encodable {
    var name: String
    /// Its value at first, as text; `nil` where that has none.
    var standard: String?

    private enum CodingKeys: String, CodingKey {
      case name
      case standard = "default"
    }
  }

  var element: String
  var plugin: String
  var ports: [Port]
  /// Pads that appear while the element runs, which are no ports.
  var laterPads: [String]
  var properties: [Property]

  /// Looks at an element that is installed.
  init(of name: String) throws(NodeError) {
    let environment = LiveEnvironment()
    let found = try environment.inspect(name)
    var node = GStreamerElement()
    node.element = name
    _ = try node.resolve(in: environment)
    (element, plugin) = (name, found.plugin)
    laterPads = found.pads.filter { $0.presence == .sometimes }.map(\.name).sorted()
    let pads = found.pads.filter { $0.presence != .sometimes }
    ports = zip(node.portDeclarations, pads).map { port, pad in
      Port(
        name: port.name, direction: port.direction, isRepeatable: port.isRepeatable,
        isRequired: port.isRequired, pad: pad.name,
        caps: pad.caps.split(separator: ";").map { String($0.drop { $0 == " " }) })
    }
    // The order of templates may be another each time.
    .sorted { ($0.direction == .input ? 0 : 1, $0.pad) < ($1.direction == .input ? 0 : 1, $1.pad) }
    let example = Element(factory: name, name: "page")
    properties = found.properties.filter { $0 != "name" && $0 != "parent" }.map {
      Property(name: $0, standard: example?.get($0))
    }
  }

  /// The page for a person to read.
  var text: String {
    var blocks = ["\(element)  (an element of GStreamer, for the node `gst`)"]
    if !ports.isEmpty {
      blocks.append("PORTS\n" + ports.map(Self.lines).joined(separator: "\n"))
    }
    if !laterPads.isEmpty {
      blocks.append(
        "PADS THAT APPEAR WHILE IT RUNS, AND CAN'T BE WIRED\n"
          + laterPads.map { "  \($0)" }.joined(separator: "\n"))
    }
    if !properties.isEmpty {
      let rows = properties.map { [$0.name, $0.standard.map { "= \($0)" } ?? ""] }
      blocks.append(
        "PROPERTIES, what each takes says `gst-inspect-1.0 \(element)`\n"
          + Table.text(rows, indent: 2))
    }
    return blocks.joined(separator: "\n\n")
  }

  private static func lines(of port: Port) -> String {
    let number = port.isRepeatable ? "any number" : port.isRequired ? "" : "optional"
    let row = [port.name, port.direction.rawValue, number, "pad \(port.pad)"]
    let caps = port.caps.map { "\n    " + $0 }
    return "  " + row.filter { !$0.isEmpty }.joined(separator: "  ") + caps.joined()
  }
}
