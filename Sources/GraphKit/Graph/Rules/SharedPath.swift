/// No two sinks write the same file, and none writes a file that a source reads, whatever the
/// paths by which they name it.
enum SharedPath: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let files = draft.nodes.flatMap(\.files)
    let key = { (file: NodeFile) -> FileKey in
      draft.identities[file.path].map { .identity($0) } ?? .path(file.path)
    }
    let readers = files.filter { $0.role == .source }
    var written: [(key: FileKey, sinks: [NodeFile])] = []
    for file in files where file.role == .sink {
      let own = key(file)
      if let known = written.firstIndex(where: { $0.key == own }) {
        written[known].sinks.append(file)
      } else {
        written.append((own, [file]))
      }
    }
    return written.flatMap { own, sinks -> [Diagnostic] in
      var problems: [FitProblem] = []
      if sinks.count > 1 {
        problems.append(.samePath(sinks.map(\.path), nodes: sinks.map(\.node)))
      }
      if let reader = readers.first(where: { key($0) == own }) {
        problems.append(
          .ownSource(
            sinks[0].path, reader: reader.node, readPath: reader.path, writer: sinks[0].node))
      }
      let last = sinks[sinks.count - 1]
      return problems.map {
        Diagnostic(.fit($0), at: last.place, node: last.node, key: last.key)
      }
    }
  }
}

/// What distinguishes files: their identity, or, where that isn't known, their path.
private enum FileKey: Equatable { case identity(FileIdentity), path(String) }

/// A file that a node reads or writes.
private struct NodeFile {
  var path: String
  var node: String
  var key: String
  var role: NodeRole
  var place: SourcePlace?
}

extension GraphDraft {
  /// Asks the machine which files the nodes' paths lead to.
  mutating func identifyFiles(in environment: any Environment) {
    for file in nodes.flatMap(\.files) where identities[file.path] == nil {
      identities[file.path] = environment.identity(of: file.path)
    }
  }
}

extension DraftNode {
  fileprivate var files: [NodeFile] {
    guard let type else { return [] }
    let named = node?.namedFiles ?? []
    // What the node says of a parameter's file goes before what its role would have it be.
    let known = Set(named.filter { $0.isWritten != (type.role == .sink) }.map(\.key))
    return pathParameters(of: type).filter { !known.contains($0.key) }
      + named.filter { $0.path != "/dev/null" }.map { file in
        NodeFile(
          path: simplified(file.path), node: name.value, key: file.key,
          role: file.isWritten ? .sink : .source, place: place(of: file.key))
      }
  }

  private func pathParameters(of type: NodeType) -> [NodeFile] {
    type.parameters.filter { $0.kind == .path }.compactMap { info in
      let given = fields.first { $0.key.value == info.name }?.value.value ?? info.defaultValue
      guard case .string(let path) = given, !path.isEmpty, path != "/dev/null" else { return nil }
      return NodeFile(
        path: simplified(path), node: name.value, key: info.name, role: type.role,
        place: place(of: info.name))
    }
  }
}

/// A path without the steps that lead nowhere: `./a//b` is `a/b`.
private func simplified(_ path: String) -> String {
  path.split(separator: "/").reduce(into: path.hasPrefix("/") ? "/" : "") { simple, step in
    guard step != "." else { return }
    if !simple.isEmpty, simple != "/" { simple += "/" }
    simple.append(contentsOf: step)
  }
}
