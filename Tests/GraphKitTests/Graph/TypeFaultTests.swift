import GraphKit
import JSON
import Nodes
import TestTools
import Testing

/// What is wrong with how node types are declared.
@Suite(.inTurn) struct TypeFaultTests {
  @Test func builtInTypesAreSound() {
    for type in Catalog.builtIn.all { #expect(type.fault == nil) }
  }

  @Test(arguments: [
    (NodeType(Faulty<NoName>.self), "has no name"),
    (NodeType(Faulty<Inclusion>.self), "has the name of what includes a graph"),
    (NodeType(Faulty<TwoParameters>.self), "declares two parameters `a`"),
    (NodeType(Faulty<ReservedParameter>.self), "declares a parameter `type`"),
    (NodeType(Faulty<DefaultOutside>.self), "has 7 for a default of `a`"),
    (NodeType(Faulty<TwoPorts>.self), "declares two inputs `in`"),
    (NodeType(Faulty<FollowsNothing>.self), "has `out` follow `inn`"),
  ]) func faultsAreNamed(type: NodeType, text: String) throws {
    let fault = try #require(type.fault)
    #expect(fault.message.contains(text), "\(fault)")
  }

  @Test func aGraphOfAFaultyTypeIsNotValid() {
    var catalog = Catalog.builtIn
    let isNew = catalog.add(NodeType(Faulty<FollowsNothing>.self))
    #expect(isNew)
    var graph = GraphBuilder(catalog: catalog)
    let from = graph.add("tone", TestAudio())
    let (faulty, end) = (graph.add("f", Faulty<FollowsNothing>()), graph.add("end", NullSink()))
    graph.connect(
      from.port("out", as: AnyMedia.self), to: faulty.port("in", as: AnyMedia.self))
    graph.connect(
      faulty.port("out", as: AnyMedia.self), to: end.port("in", as: AnyMedia.self))
    let errors = #expect(throws: GraphErrors.self) { try graph.build(in: LiveEnvironment()) }
    #expect("\(String(describing: errors))".contains("has `out` follow `inn`"))
  }
}

/// How a declaration is at fault.
private protocol Fault: SendableMetatype {
  static var name: String { get }
  static var parameters: [String] { get }
  static var value: Int { get }
  static var follows: String { get }
  static var ports: [String] { get }
}

extension Fault {
  static var name: String { "faulty" }
  static var parameters: [String] { ["a", "b"] }
  static var value: Int { 1 }
  static var follows: String { "in" }
  static var ports: [String] { ["in"] }
}

private enum NoName: Fault { static let name = "" }
private enum Inclusion: Fault { static let name = "graph" }
private enum TwoParameters: Fault { static let parameters = ["a", "a"] }
private enum ReservedParameter: Fault { static let parameters = ["a", "type"] }
private enum DefaultOutside: Fault { static let value = 7 }
private enum TwoPorts: Fault { static let ports = ["in", "in"] }
private enum FollowsNothing: Fault { static let follows = "inn" }

private struct Faulty<Kind: Fault>: SwiftNode {
  struct Ports: PortSet {
    var declarations: [PortDeclaration] {
      let format = FormatConstraint.audio([.f32])
      return Kind.ports.map { PortDeclaration($0, .input, format, help: "Sound.") }
        + [PortDeclaration("out", .output, format, follows: Kind.follows, help: "Sound.")]
    }
  }

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration(
      Kind.name, role: .effect, help: "Does nothing.", example: "a -> faulty",
      parameters: Kind.parameters.map { .integer($0, \.value, in: 1...5, help: "A number.") })
  }
  static var ports: Ports { Ports() }
  var value = Kind.value

  init() {}

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws { try outputs.send(sample) }
}
