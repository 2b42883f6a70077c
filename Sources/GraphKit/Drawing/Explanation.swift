/// A graph in sentences, in the order of its streams.
public struct Explanation: Sendable, CustomStringConvertible {
  /// The sentences.
  public private(set) var sentences: [String] = []

  private let graph: Graph
  private let leaving: [String: [GraphWire]]
  private let entering: [String: [GraphWire]]
  /// Where the next sentences begin: sources, forks and joins, each once all before it is described.
  private var heads: [GraphNode]
  /// How many of a join's inputs have been described.
  private var arrivals: [String: Int] = [:]

  /// Explains a graph.
  public init(_ graph: Graph) {
    self.graph = graph
    leaving = Dictionary(grouping: graph.wires, by: \.from.node)
    entering = Dictionary(grouping: graph.wires, by: \.to.node)
    heads = graph.nodes.filter { [entering] in entering[$0.name] == nil }
    var next = 0
    while next < heads.count {
      tell(from: heads[next])
      next += 1
    }
    describeSteps()
  }

  public var description: String { sentences.joined(separator: "\n") }

  /// Says what the graph gives up, where its file does.
  private mutating func describeSteps() {
    guard let steps = graph.whenSlow, graph.nodes.contains(where: \.node.traits.isLive) else {
      return
    }
    let phrases = steps.map(\.phrase).joined(separator: ", then ")
    sentences.append(
      steps.isEmpty
        ? "Where it can't keep up, it gives up frames alone."
        : "Where it can't keep up, it \(phrases).")
  }

  private mutating func tell(from head: GraphNode) {
    let wires = leaving[head.name] ?? []
    let inputs = entering[head.name] ?? []
    if inputs.isEmpty, wires.count == 1 {
      return tell(wires[0], of: medium(of: wires[0]), [NodePhrase(head).text])
    }
    if inputs.isEmpty { sentences.append(sentence(of: head, wires)) }
    if inputs.count > 1 { sentences.append(sentence(of: head, inputs)) }
    let isDirect = { [entering] (wire: GraphWire) in (entering[wire.to.node]?.count ?? 0) > 1 }
    for wire in wires where !isDirect(wire) {
      tell(wire, of: "from `\(head.name)`, \(medium(of: wire))", [])
    }
    tellDirect(wires.filter(isDirect), from: head.name)
  }

  /// Tells of wires that lead straight from a node to joins, those of a medium in a sentence.
  private mutating func tellDirect(_ wires: [GraphWire], from name: String) {
    var targets: [(medium: String, names: [String])] = []
    for wire in wires {
      let medium = medium(of: wire)
      let place = targets.firstIndex { $0.medium == medium } ?? targets.count
      if place == targets.count { targets.append((medium, [])) }
      targets[place].names.append("`\(wire.to.node)`")
      arrive(at: wire.to.node)
    }
    for (medium, names) in targets {
      sentences.append("From `\(name)`, \(medium) goes to \(Self.list(names)).")
    }
  }

  /// Counts an input of a join that has been described; after the last, it is the join's turn.
  private mutating func arrive(at name: String) {
    arrivals[name, default: 0] += 1
    if arrivals[name] == entering[name]?.count, let node = graph[name] { heads.append(node) }
  }

  /// Tells of a row of nodes with one input and one output each.
  private mutating func tell(_ first: GraphWire, of subject: String, _ deeds: [String]) {
    var (wire, deeds) = (first, deeds)
    while let node = graph[wire.to.node] {
      let count = entering[node.name]?.count ?? 0
      guard count == 1 else {
        arrive(at: node.name)
        let comma = deeds.count > 1 ? "," : ""
        let part = deeds.isEmpty ? "" : " is \(Self.list(deeds))\(comma) and"
        return sentences.append("\(subject)\(part) goes to `\(node.name)`".asSentence)
      }
      let wires = leaving[node.name] ?? []
      deeds.append(NodePhrase(node).text + (wires.count > 1 ? " in `\(node.name)`" : ""))
      if wires.count == 1 {
        wire = wires[0]
        continue
      }
      if wires.count > 1 { heads.append(node) }
      return sentences.append("\(subject) is \(Self.list(deeds))".asSentence)
    }
  }

  /// What a node with several wires does.
  private func sentence(of node: GraphNode, _ wires: [GraphWire]) -> String {
    let phrase = NodePhrase(node)
    let isEnd = entering[node.name] == nil || leaving[node.name] == nil
    guard isEnd, node.type.phrase != nil else {
      return "`\(node.name)` \(phrase.help)".asSentence
    }
    let media = self.media(of: wires)
    let verb = media.count > 1 || wires.count > 1 && media[0].contains(" ") ? "are" : "is"
    return "\(Self.list(media)) \(verb) \(phrase.text) in `\(node.name)`".asSentence
  }

  /// What passes some wires, each kind once: `2 video tracks`, `audio`.
  private func media(of wires: [GraphWire]) -> [String] {
    var kinds: [String] = []
    var ports: [String: Set<PortReference>] = [:]
    for wire in wires {
      let kind = medium(of: wire)
      if ports[kind] == nil { kinds.append(kind) }
      ports[kind, default: []].insert(wire.from)
    }
    return kinds.map { kind in
      let count = ports[kind]?.count ?? 1
      return count > 1 ? "\(count) \(kind) tracks" : kind
    }
  }

  private func medium(of wire: GraphWire) -> String {
    let port = graph[wire.from.node]?.ports.first { $0.name == wire.from.port }
    return (port?.format.kind ?? .any).plainWord
  }

  private static func list(_ parts: [String]) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension MediaKind {
  /// The kind in a sentence, encoded or not.
  fileprivate var plainWord: String {
    switch self {
    case .audio, .encodedAudio: "audio"
    case .video, .encodedVideo: "video"
    case .peaks: "the waveform"
    case .measurement: "the measurement"
    case .text: "text"
    case .any: "what comes"
    }
  }
}

extension String {
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
