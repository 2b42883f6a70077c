/// How large a node's box is, and where its ports are, measured from its top left corner.
struct BoxShape {
  static let header = 46.0
  static let row = 36.0
  static let nameSize = 13.0
  static let typeSize = 11.0
  static let portSize = 10.0

  var width: Double
  let height: Double
  /// The height of each input, by name.
  let inputs: [String: Double]
  /// The height of each output, by name.
  let outputs: [String: Double]

  init(_ box: Drawing.Box) {
    let rows = max(Self.rows(box.inputs), Self.rows(box.outputs))
    height = Self.header + Double(rows) * Self.row + (rows > 0 ? 2 : 0)
    inputs = Self.heights(of: box.inputs, in: height)
    outputs = Self.heights(of: box.outputs, in: height)
    let name = TextWidth.of(box.heading, size: Self.nameSize, isBold: true)
    let type = TextWidth.of(box.subheading, size: Self.typeSize)
    let ports = Self.portWidth(box.inputs) + Self.portWidth(box.outputs)
    width = max(96, max(name, type) + 30, ports + 44).rounded(.up)
  }

  /// A side with a single port needs no row: the port is the box's own.
  private static func rows(_ ports: [String]) -> Int { ports.count > 1 ? ports.count : 0 }

  private static func heights(of ports: [String], in height: Double) -> [String: Double] {
    guard ports.count > 1 else {
      return Dictionary(uniqueKeysWithValues: ports.map { ($0, height / 2) })
    }
    return Dictionary(
      ports.enumerated().map { ($1, header + (Double($0) + 0.5) * row) },
      uniquingKeysWith: { first, _ in first })
  }

  private static func portWidth(_ ports: [String]) -> Double {
    guard ports.count > 1 else { return 0 }
    return ports.map { TextWidth.of($0, size: portSize) }.max() ?? 0
  }
}

extension Drawing.Box {
  /// What the box is called: of an inserted node its type, since its name was generated; in the
  /// frame of a graph the name there.
  var heading: String {
    if isInserted { return type }
    guard let graph, name.hasPrefix(graph + "/") else { return name }
    return String(name.dropFirst(graph.count + 1))
  }

  /// What else there is to say: of an inserted node what it makes.
  var subheading: String {
    guard isInserted else { return type }
    return parameters.sorted { $0.key < $1.key }.map(\.value).joined(separator: " ")
  }
}
