import GraphKit
import Nodes
import TestTools
import Testing

/// What holds for every node type of the catalog.
@Suite(.inTurn) struct CatalogTests {
  @Test func findsEveryTypeByTheNameThatItDeclares() {
    for type in Catalog.builtIn.all { #expect(Catalog.builtIn[type.name]?.name == type.name) }
  }

  @Test(arguments: Catalog.withExample.all)
  func isDocumented(_ type: NodeType) {
    #expect(type.help.hasSuffix(".") && type.help.count > 15)
    #expect(type.example.contains(" -> "))
    for parameter in type.parameters {
      #expect(parameter.help.hasSuffix("."), "\(type).\(parameter.name)")
    }
    for port in type.ports { #expect(port.help.hasSuffix("."), "\(type).\(port.name)") }
  }

  @Test(arguments: Catalog.withExample.all)
  func namesAreDistinctWords(_ type: NodeType) {
    let names = type.parameters.map(\.name)
    #expect(Set(names).count == names.count)
    for name in names + type.ports.map(\.name) + [type.name] {
      #expect(name.first?.isLowercase == true && name.allSatisfy { $0.isLetter || $0.isNumber })
    }
    let ports = type.ports.map { "\($0.direction) \($0.name)" }
    #expect(!ports.isEmpty && Set(ports).count == ports.count)
  }

  @Test(arguments: Catalog.withExample.all)
  func takesItsOwnDefaults(_ type: NodeType) {
    var node = type.make()
    #expect(node.problem == nil)
    #expect(node.latency.isNumeric && node.latency >= .zero)
    for parameter in type.parameters {
      guard let value = parameter.defaultValue else { continue }
      #expect(type.set(parameter.name, to: value, of: &node), "\(type).\(parameter.name)")
    }
    #expect(node.problem == nil)
  }

  /// A graph that can't keep up sets such a value while it runs.
  @Test func aValueThatCostsLessIsOneThatMayChange() {
    var count = 0
    for type in Catalog.builtIn.all {
      for parameter in type.parameters {
        guard let value = parameter.economy else { continue }
        var node = type.make()
        #expect(parameter.isLive && value != parameter.defaultValue, "\(type).\(parameter.name)")
        #expect(type.set(parameter.name, to: value, of: &node) && node.problem == nil)
        count += 1
      }
    }
    #expect(count >= 2)
  }

  @Test(arguments: Catalog.withExample.all)
  func refusesValuesOfAnotherKind(_ type: NodeType) {
    var node = type.make()
    for parameter in type.parameters {
      // What a graph may leave out, a live change may leave to the node again.
      let isLeftOut =
        parameter.isLive && !parameter.isRequired && parameter.defaultValue == nil
      #expect(
        type.set(parameter.name, to: .null, of: &node) == isLeftOut, "\(type).\(parameter.name)")
      if case .choice = parameter.kind {
        #expect(!type.set(parameter.name, to: .string("no such word"), of: &node))
      }
    }
  }

  @Test(arguments: Catalog.withExample.all)
  func portsOfANewNodeAreThoseOfItsType(_ type: NodeType) {
    let names = type.make().portDeclarations.map(\.name)
    #expect(Set(names).isSubset(of: type.ports.map(\.name)))
  }
}
