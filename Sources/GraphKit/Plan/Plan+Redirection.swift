/// A path that one of a plan's nodes is given to write to.
package struct WrittenPath: Hashable, Sendable {
  /// The node.
  package var node: String
  /// The node's parameter that holds the path, or `properties.location` for one of an object.
  package var key: String
  /// The path; it may have fields for numbers.
  package var path: String
}

extension Plan {
  /// The paths that the plan's nodes are given to write to. What a node derives from one of them,
  /// such as a playlist's name, isn't among them.
  package var writtenPaths: [WrittenPath] { nodes.flatMap(\.writtenPaths) }

  /// Has the plan's nodes write elsewhere: `place` gives each path its new one.
  package mutating func redirectOutputs(_ place: (String) -> String) {
    for index in nodes.indices {
      for written in nodes[index].writtenPaths {
        nodes[index].write(place(written.path), to: written.key)
      }
    }
  }
}

extension PlanNode {
  /// The paths that the node is given to write to.
  package var writtenPaths: [WrittenPath] {
    let named = node.namedFiles
    let keys = Set(named.map(\.key))
    let stated = named.filter { $0.isWritten && text(of: $0.key) != nil }.map(\.key)
    let own =
      type.role != .sink
      ? []
      : type.parameters.filter {
        $0.kind == .path && !keys.contains($0.name)
      }.map(\.name)
    return Set(stated + own).sorted().compactMap { key in
      guard let path = text(of: key), !path.isEmpty, !path.hasPrefix("/dev/") else { return nil }
      return WrittenPath(node: name, key: key, path: path)
    }
  }

  private func text(of key: String) -> String? {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    let value = type.parameters.first { $0.name == parts[0] }?.read(node)
    switch value {
    case .string(let text) where parts.count == 1: return text
    case .object(let fields) where parts.count == 2:
      if case .string(let text)? = fields[parts[1]] { return text }
      return nil
    default: return nil
    }
  }

  fileprivate mutating func write(_ path: String, to key: String) {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard let parameter = type.parameters.first(where: { $0.name == parts[0] }) else { return }
    var value = JSONValue.string(path)
    if parts.count == 2, case .object(var fields)? = parameter.read(node) {
      fields[parts[1]] = value
      value = .object(fields)
    }
    if parameter.write(&node, value) { parameters[parts[0]] = value }
  }
}
