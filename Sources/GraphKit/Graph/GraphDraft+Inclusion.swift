/// Where a document's nodes go: to the top, or into a node of another graph.
struct GraphLevel {
  /// The type of a node that is a graph.
  static let type = "graph"
  /// How deep graphs may be within each other.
  static let maximumDepth = 16

  /// The names of the nodes that it is within, each with a `/` after it.
  var prefix = ""
  /// The files that it is within, the outermost first, and its own; `nil` for none.
  var files: [String?]

  init(file: String?) { files = [file] }

  /// The file that a path in this level's file leads to: from that file's folder on, since the files
  /// that make a graph are kept and moved together.
  func file(at path: String) -> String {
    guard !path.hasPrefix("/"), let file = files.last ?? nil, file.contains("/") else {
      return path
    }
    return PathPart.folder.of(file) + "/" + path
  }
}

extension GraphDraft {
  /// Puts the graph that a node names in its place.
  mutating func include(_ node: DraftNode, at level: GraphLevel) {
    let name = node.name.value
    report(duplicate: node.name)
    groups[name] = .unknown
    guard let path = path(of: node), let document = read(path, for: node, at: level) else {
      excusesAll = true
      return
    }
    inclusions[name] = Inclusion(node: name, place: node.name.place, file: document.file)
    if document.hasUnreadableWires { excusesAll = true }
    var inner = level
    inner.prefix = name + "/"
    inner.files.append(document.file)
    var substitution = Substitution(document, fields: values(of: node, for: document))
    let count = diagnostics.count
    let open = insert(document, &substitution, at: inner)
    groups[name] = open.map { .graph($0) } ?? .unknown
    // What is wrong with the file, and with no node of it, is about the node that the file is.
    for index in diagnostics.indices.dropFirst(count) where diagnostics[index].node == nil {
      diagnostics[index].node = name
    }
  }

  /// The same for a program, which gives the path and the values of parameters.
  mutating func include(_ name: String, path: String, _ parameters: [String: JSONValue]) {
    if !isNodeName(name) { report(.document(.badName(name)), at: nil, node: name) }
    var node = DraftNode(name: Located(name), typeName: Located(GraphLevel.type))
    let values = parameters.sorted { $0.key < $1.key } + [("path", .string(path))]
    node.fields = values.map { key, value in
      DraftField(key: Located(key), value: Located(value), isUntyped: false)
    }
    include(node, at: GraphLevel(file: file))
  }

  private mutating func path(of node: DraftNode) -> Located<String>? {
    guard let field = node.fields.first(where: { $0.key.value == "path" }) else {
      guard !node.unset.contains("path") else { return nil }
      let problem = NodeProblem.missingParameter(
        "path", type: GraphLevel.type, help: "The graph's file.")
      report(.node(problem), at: node.name.place, node: node.name.value, key: "path")
      return nil
    }
    if let text = field.value.value.text { return Located(text, at: field.value.place) }
    let problem = NodeProblem.wrongType(
      "path", found: field.value.value.spoken, expected: "a graph file's path as text")
    report(.node(problem), at: field.value.place, node: node.name.value, key: "path")
    return nil
  }

  private mutating func read(
    _ path: Located<String>, for node: DraftNode, at level: GraphLevel
  ) -> GraphDocument? {
    let file = level.file(at: path.value)
    do {
      if level.files.contains(file) {
        throw NodeError("`\(file)` is a part of itself", remedy: "name another file")
      }
      if level.files.count > GraphLevel.maximumDepth {
        throw NodeError(
          "graphs are within each other more than \(GraphLevel.maximumDepth) deep",
          remedy: "put nodes of the innermost into the one around it")
      }
      let input = try InputFile(file)
      let bytes = try input.bytes(at: 0, count: min(input.byteCount, JSONReader.maximumBytes + 1))
      let document = try GraphDocument(json: bytes, file: file, isNamed: true)
      diagnostics += document.diagnostics.map { $0.of(node.name.value) }
      return document
    } catch let errors as GraphErrors {
      diagnostics += errors.diagnostics.map { $0.of(node.name.value) }
      inclusions[node.name.value] = Inclusion(
        node: node.name.value, place: node.name.place, file: file)
    } catch let error as NodeError {
      report(.node(.stated(error)), at: path.place, node: node.name.value, key: "path")
    } catch {}
    return nil
  }
}

extension GraphDraft {
  /// What a node gives for the parameters of the graph that it is; what doesn't hold is reported.
  private mutating func values(of node: DraftNode, for document: GraphDocument) -> [DraftField] {
    let file = PathPart.name.of(document.file ?? "graph")
    let known = document.parameters.map(\.name.value)
    var values: [DraftField] = []
    for field in node.fields where field.key.value != "path" {
      let parameter = document.parameters.first { $0.name.value == field.key.value }
      if let problem = Self.problem(field, for: parameter, of: file, known: known) {
        report(
          .node(problem), at: parameter == nil ? field.key.place : field.value.place,
          node: node.name.value, key: field.key.value)
      } else {
        values.append(field)
      }
    }
    let given = Set(node.fields.map(\.key.value)).union(node.unset)
    for parameter in document.parameters
    where parameter.defaultValue.value == .null && !given.contains(parameter.name.value) {
      let problem = NodeProblem.missingParameter(
        parameter.name.value, type: file, help: "It has no value of its own.")
      report(.node(problem), at: node.name.place, node: node.name.value, key: parameter.name.value)
    }
    return values
  }

  private static func problem(
    _ field: DraftField, for parameter: GraphDocument.Parameter?, of file: String, known: [String]
  ) -> NodeProblem? {
    let (name, value) = (field.key.value, field.value.value)
    guard let parameter else { return .unknownParameter(name, type: file, known: known) }
    let initial = parameter.defaultValue.value
    let isAlike =
      switch (initial, value) {
      case (.null, .object), (.null, .null): false
      case (.null, _), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array):
        true
      default: field.isUntyped
      }
    return isAlike
      ? nil : .wrongType(name, found: value.spoken, expected: "what is like \(plain(initial))")
  }
}
