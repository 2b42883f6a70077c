/// A graph or a plan as boxes and lines, before any drawing language.
public struct Drawing: Sendable, Hashable {
  /// The boxes.
  var nodes: [Box]
  /// The lines between them.
  var wires: [Line]
  /// The graphs that are drawn with their nodes.
  var graphs: [Frame] = []

  /// A node to draw.
  struct Box: Sendable, Hashable {
    var name: String
    var type: String
    var role: NodeRole
    var parameters: [String: String]
    var inputs: [String]
    var outputs: [String]
    var isInserted = false
    var stage: Int?
    /// Whether it stands for the nodes of a graph.
    var isGraph = false
    /// The opened graph that it is in, the innermost; `nil` for none.
    var graph: String?
  }

  /// An opened graph, around its nodes.
  struct Frame: Sendable, Hashable {
    var name: String
    var file: String
    /// The opened graph that it is in.
    var parent: String?

    /// Its name in the graph that it is in.
    var heading: String { parent.map { String(name.dropFirst($0.count + 1)) } ?? name }
  }

  /// A wire to draw.
  struct Line: Sendable, Hashable {
    var from: PortReference
    var to: PortReference
    /// What passes, short enough for a label.
    var format: String
    var kind: MediaKind
    var crossing: Crossing

    enum Crossing: Sendable, Hashable {
      case link, call
      case queue(time: String, drops: Bool)
    }
  }

  /// What a plan does: formats, inserted nodes, stages and queues.
  public init(_ plan: Plan) {
    nodes = plan.nodes.map { node in
      Box(
        name: node.name, type: node.type.name, role: node.type.role,
        parameters: node.parameters.mapValues(\.plain),
        inputs: node.ports.names(.input), outputs: node.ports.names(.output),
        isInserted: node.isInserted, stage: node.stage)
    }
    wires = plan.wires.map { wire in
      Line(
        from: wire.from, to: wire.to, format: wire.format.label, kind: wire.format.kind,
        crossing: Line.Crossing(wire.lowering))
    }
    dropUnwiredPorts()
  }

  /// What a graph says: its nodes and wires.
  public init(_ graph: Graph) {
    nodes = graph.nodes.map { node in
      Box(
        name: node.name, type: node.type.name, role: node.type.role,
        parameters: node.parameters.mapValues(\.plain),
        inputs: node.ports.names(.input), outputs: node.ports.names(.output))
    }
    wires = graph.wires.map { wire in
      let output = graph[wire.from.node]?.ports.first {
        $0.name == wire.from.port && $0.direction == .output
      }
      return Line(
        from: wire.from, to: wire.to, format: "", kind: output?.format.kind ?? .any,
        crossing: .link)
    }
    dropUnwiredPorts()
  }

  /// A port without a wire would be a loose end in the picture.
  private mutating func dropUnwiredPorts() {
    let used = (Set(wires.map(\.from)), Set(wires.map(\.to)))
    for index in nodes.indices {
      let name = nodes[index].name
      nodes[index].outputs.removeAll { !used.0.contains(PortReference(name, $0)) }
      nodes[index].inputs.removeAll { !used.1.contains(PortReference(name, $0)) }
    }
  }
}

extension Drawing.Line.Crossing {
  init(_ lowering: Lowering) {
    self =
      switch lowering {
      case .call: .call
      case .link: .link
      case .queue(let policy):
        .queue(time: policy.time.shortSeconds, drops: policy.dropsWhenNotReady)
      }
  }
}

extension [PortDeclaration] {
  fileprivate func names(_ direction: PortDirection) -> [String] {
    filter { $0.direction == direction }.map(\.name)
  }
}

extension FormatConstraint {
  /// The format in as few words as tell it: `I420 1280x720 30/s`.
  var label: String {
    var words = codecs.map(\.spoken)
    if kind == .audio { words += sampleFormats.map(\.rawValue) }
    if kind == .video { words += pixelFormats.map(\.spoken) }
    if words.count > 2 { words = [words[0], "…"] }
    if words.isEmpty { words = [kind.shortName] }
    if let width, let height { words.append("\(width)x\(height)") }
    if let frameRate { words.append(FormatWords.frameRate(frameRate)) }
    if sampleRates.count == 1 { words.append(FormatWords.sampleRate(sampleRates[0])) }
    if channels.count == 1 { words.append(FormatWords.channels(channels[0])) }
    return words.joined(separator: " ")
  }
}

extension MediaKind {
  fileprivate var shortName: String {
    switch self {
    case .audio, .encodedAudio: "audio"
    case .video, .encodedVideo: "video"
    case .peaks: "peaks"
    case .measurement: "measurement"
    case .text: "text"
    case .any: "any"
    }
  }
}
