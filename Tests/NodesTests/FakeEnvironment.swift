import GraphKit
import Testing

/// A machine made of what a test says is there.
struct FakeEnvironment: Environment {
  var installed: Set<String>?
  var inspections: [String: ElementInspection] = [:]
  var files: [String: [DiscoveredStream]] = [:]
  var there: [DeviceKind: [Device]] = [:]
  var places: [String: OutputPlace] = [:]
  var folders: [String: [String]] = [:]
  var screen: ScreenSize?

  func isInstalled(_ element: ElementSpec) -> Bool {
    installed?.contains(element.factory) ?? true
  }

  func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    guard let found = inspections[factory] else {
      throw NodeError("no \(factory)", remedy: "none", key: "element")
    }
    return found
  }

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    guard let found = files[path] else { throw NodeError("no \(path)", remedy: "none") }
    return found
  }

  func devices(_ kind: DeviceKind) -> [Device] { there[kind] ?? [] }
  func screenSize(of display: String) -> ScreenSize? { screen }
  func names(in folder: String) -> [String] { folders[folder] ?? [] }
  func outputPlace(_ path: String) -> OutputPlace { places[path] ?? .free }
}

extension ElementNode {
  /// The factories of the first alternative, in their order.
  func factories(_ formats: [String: FormatConstraint] = [:]) throws -> [String] {
    try #require(try elements(in: FakeEnvironment(), formats: formats).first)
      .elements.map(\.factory)
  }

  /// The properties of an element of the first alternative.
  func properties(of factory: String, _ formats: [String: FormatConstraint] = [:]) throws
    -> [String: String]
  {
    let chain = try #require(try elements(in: FakeEnvironment(), formats: formats).first)
    return try #require(chain.elements.first { $0.factory == factory }).properties
  }
}
