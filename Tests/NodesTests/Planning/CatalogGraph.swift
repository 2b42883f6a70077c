import Foundation
import GraphKit

/// A graph of any node types of a catalog, made up from a seed.
///
/// Most of its wires join what fits, so that many graphs are valid, however large; three
/// graphs in ten get a wire that may not fit or may lead back, or have one too few.
struct CatalogGraph {
  private struct Output {
    var node: String
    var port: PortDeclaration
    var isAlone: Bool
    var isUsed = false
  }

  private(set) var nodes: [(name: String, type: String, values: [String: JSONValue])] = []
  private(set) var wires: [String] = []
  private var outputs: [Output] = []
  private var values: RandomValues
  private let world: FakeWorld
  private let types: [NodeType]

  init(seed: UInt64, _ types: [NodeType], in world: FakeWorld) {
    values = RandomValues(seed: seed, world)
    (self.types, self.world) = (types, world)
    let sources = types.filter { $0.role == .source }
    let others = types.filter { $0.role != .source }
    let sourceCount = Int.random(in: 1...3, using: &values.numbers)
    while nodes.count < sourceCount { add(values.pick(sources)) }
    for _ in 0..<Int.random(in: 1...16, using: &values.numbers) { add(values.pick(others)) }
    for output in outputs.indices where !outputs[output].isUsed && outputs[output].isAlone {
      end(output)
    }
    if values.chance(30) { spoil() }
  }

  /// The graph as a file has it.
  var json: String {
    get throws {
      let entries = nodes.map { node in
        (node.name, JSONValue.object(node.values.merging(["type": .string(node.type)]) { $1 }))
      }
      let graph: [String: JSONValue] = [
        "nodes": .object(Dictionary(entries, uniquingKeysWith: { $1 })),
        "wires": .array(wires.map { .string($0) }),
      ]
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(JSONValue.object(graph)), as: UTF8.self)
    }
  }

  /// Adds a node, if there is something for each of its inputs.
  private mutating func add(_ type: NodeType) {
    let given = values.parameters(of: type)
    guard let ports = ports(of: type, given) else { return }
    let inputs = ports.filter { $0.direction == .input }
    var feeds: [(output: Int, input: String)] = []
    for input in inputs {
      let isOnly = inputs.count == 1
      guard input.isRequired || isOnly || values.chance(60) else { continue }
      guard let output = feed(for: input, of: type) else {
        if input.isRequired || isOnly { return }
        continue
      }
      feeds.append((output, input.name))
      // Inputs that come in turn need a source each, and there are few.
      guard input.isRepeatable, !type.make().traits.takesInputsInTurn else { continue }
      for number in 2..<(2 + Int.random(in: 0...2, using: &values.numbers)) {
        guard let output = feed(for: input, of: type) else { continue }
        feeds.append((output, "\(input.name).\(number)"))
      }
    }
    guard !feeds.isEmpty || inputs.isEmpty else { return }
    let name = "\(type.name)\(nodes.count)"
    nodes.append((name, type.name, given))
    for feed in feeds {
      wire(feed.output, to: inputs.count == 1 && feeds.count == 1 ? name : "\(name).\(feed.input)")
    }
    let made = ports.filter { $0.direction == .output }
    for var port in made {
      // What hands on any media gives what it gets.
      if port.format.kind == .any, let feed = feeds.first {
        port.format = outputs[feed.output].port.format
      }
      outputs.append(Output(node: name, port: port, isAlone: made.count == 1))
    }
  }

  /// The ports of a node as the graph will have it; `nil` where something is wrong with it.
  private func ports(of type: NodeType, _ given: [String: JSONValue]) -> [PortDeclaration]? {
    var node = type.make()
    for (name, value) in given where !type.set(name, to: value, of: &node) { return nil }
    guard node.problem == nil, (try? node.resolve(in: world.environment)) != nil else { return nil }
    return node.portDeclarations
  }

  /// An output for an input, the later ones more often than the first, so that chains grow long.
  private mutating func feed(for input: PortDeclaration, of type: NodeType) -> Int? {
    let fitting = outputs.indices.filter {
      fits(outputs[$0].port, input)
        // What is raw already passes through a decoder.
        || type.role == .decoder && outputs[$0].port.format.kind == input.format.kind.decoded
    }
    guard !fitting.isEmpty else { return nil }
    let open = fitting.filter { !outputs[$0].isUsed }
    return values.pick(values.chance(75) && !open.isEmpty ? open : fitting)
  }

  private func fits(_ output: PortDeclaration, _ input: PortDeclaration) -> Bool {
    let (given, taken) = (output.format, input.format)
    if given.kind == .any || taken.kind == .any { return true }
    if given.kind != taken.kind { return given.kind.isEncoded && given.kind.decoded == taken.kind }
    return given.codecs.isEmpty || taken.codecs.isEmpty
      || given.codecs.contains(where: taken.codecs.contains)
  }

  private mutating func wire(_ output: Int, to target: String) {
    let (node, port) = (outputs[output].node, outputs[output].port.name)
    outputs[output].isUsed = true
    wires.append("\(node)\(outputs[output].isAlone ? "" : ".\(port)") -> \(target)")
  }

  /// Gives an output that leads nowhere a sink of its own.
  private mutating func end(_ output: Int) {
    let name = "nullSink\(nodes.count)"
    nodes.append((name, "nullSink", [:]))
    wire(output, to: name)
  }

  /// Makes something of the graph wrong, or nearly.
  private mutating func spoil() {
    guard nodes.count > 1, !wires.isEmpty else { return }
    let (first, second) = (values.pick(nodes).name, values.pick(nodes).name)
    switch Int.random(in: 0..<3, using: &values.numbers) {
    case 0: wires.append("\(first) -> \(second)")
    case 1: wires.remove(at: Int.random(in: wires.indices, using: &values.numbers))
    default:
      let index = Int.random(in: wires.indices, using: &values.numbers)
      let start = wires[index].prefix { $0 != " " }
      wires[index] = "\(start) -> \(second)"
    }
  }
}
