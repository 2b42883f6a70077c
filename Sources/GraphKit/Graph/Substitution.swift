/// Puts the values of a graph's parameters where `${name}` stands.
struct Substitution {
  /// What a parameter holds.
  enum Value: Equatable {
    case value(JSONValue)
    /// Text that was set for a parameter without a default, whose type isn't known.
    case untyped(String)
    case unset
  }

  /// What went wrong so far.
  private(set) var diagnostics: [Diagnostic] = []
  private var values: [String: Value] = [:]
  private var used: Set<String> = []
  /// Whether the graph is a node of another.
  private var isWithin = false
  /// Bytes of all the texts that were made so far.
  private var made = 0
  private let declared: [GraphDocument.Parameter]
  /// The declared parameters' names.
  private let names: [String]
  private let overrides: [String: String]
  /// What `${item}` stands for, where a node is made for each item of a list.
  var item: JSONValue?

  /// - Parameter overrides: what `--set name=text` gives.
  init(_ document: GraphDocument, overrides: [String: String]) {
    declared = document.parameters
    names = document.parameters.map(\.name.value)
    self.overrides = overrides
    for (name, text) in overrides { values[name] = .untyped(text) }
    for parameter in declared { declare(parameter) }
  }

  /// The values of a graph that is a node of another.
  /// - Parameter fields: what the node gives, each of the type that the parameter's default has.
  init(_ document: GraphDocument, fields: [DraftField]) {
    let texts = fields.compactMap { field in
      field.isUntyped ? field.value.value.text.map { (field.key.value, $0) } : nil
    }
    self.init(document, overrides: Dictionary(texts, uniquingKeysWith: { $1 }))
    for field in fields where !field.isUntyped {
      values[field.key.value] = .value(field.value.value)
    }
    // Those that have no value were reported where the node is.
    isWithin = true
  }

  private mutating func declare(_ parameter: GraphDocument.Parameter) {
    let name = parameter.name.value
    let initial = parameter.defaultValue.value
    guard let text = overrides[name] else {
      values[name] = initial == .null ? .unset : .value(initial)
      return
    }
    switch initial {
    case .bool: set(name, to: Bool(text).map { .bool($0) }, text, expected: "true or false")
    case .number:
      // Frame rates may be fractions.
      let fraction = JSONValue.string(text).rational.map { _ in JSONValue.string(text) }
      set(name, to: number(text).map { .number($0) } ?? fraction, text, expected: "a number")
    case .string: values[name] = .value(.string(text))
    case .array: set(name, to: items(text), text, expected: "a list: `1080,720` or `[1080, 720]`")
    default: break
    }
  }

  private mutating func set(_ name: String, to value: JSONValue?, _ text: String, expected: String)
  {
    values[name] = value.map { .value($0) } ?? .unset
    guard value == nil else { return }
    used.insert(name)
    report(.badOverride(name, text: text, expected: expected), at: nil, key: name)
  }

  /// A node's field with every `${name}` in it replaced; `nil` where one has no value.
  mutating func apply(to field: JSONTree.Member, of node: String?) -> DraftField? {
    let count = diagnostics.count
    var isUntyped = false
    let tree = replaced(field.value, &isUntyped)
    for index in diagnostics.indices.dropFirst(count) {
      diagnostics[index].node = node
      diagnostics[index].key = field.key.value
    }
    return tree.map {
      DraftField(
        key: field.key, value: Located($0.value, at: $0.place), places: $0.places,
        isUntyped: isUntyped)
    }
  }

  private mutating func replaced(_ tree: JSONTree, _ isUntyped: inout Bool) -> JSONTree? {
    switch tree.content {
    case .string(let text): return replaced(text, in: tree, &isUntyped)
    case .array(let items):
      let new = items.map { replaced($0, &isUntyped) }
      return new.contains(nil) ? nil : JSONTree(.array(new.compactMap(\.self)), at: tree.place)
    case .object(let members):
      let new = members.map { member in
        replaced(member.value, &isUntyped).map { JSONTree.Member(key: member.key, value: $0) }
      }
      return new.contains(nil) ? nil : JSONTree(.object(new.compactMap(\.self)), at: tree.place)
    default: return tree
    }
  }

  private mutating func replaced(
    _ text: String, in tree: JSONTree, _ isUntyped: inout Bool
  ) -> JSONTree? {
    let parts = ReferenceText(text).parts
    let values = parts.map { value(of: $0, in: tree) }
    if values.contains(.unset) { return nil }
    guard hasRoom(for: values, of: parts, in: tree) else { return nil }
    if parts.count == 1, case .reference = parts[0] {
      switch values[0] {
      case .value(let value): return JSONTree(value: value).placed(at: tree.place)
      default: isUntyped = true
      }
    }
    guard areTexts(values, of: parts, in: tree) else { return nil }
    return JSONTree(.string(values.reduce(into: "") { $0 += $1.text }), at: tree.place)
  }

  /// Whether the bounds leave room for a text; reports the reference that goes beyond them.
  private mutating func hasRoom(
    for values: [Value], of parts: [ReferenceText.Part], in tree: JSONTree
  ) -> Bool {
    var length = 0
    for (part, value) in zip(parts, values) {
      length += value.text.utf8.count
      let isTotal = length <= SubstitutionBounds.text
      let limit = isTotal ? SubstitutionBounds.all : SubstitutionBounds.text
      guard length + (isTotal ? made : 0) > limit else { continue }
      guard case .reference(let name, let offset) = part else { continue }
      // Once all texts together are too long, each that follows is.
      if made <= SubstitutionBounds.all {
        let problem = DocumentProblem.longText(parameter: name, limit: limit, isTotal: isTotal)
        report(problem, at: tree.place(ofScalar: offset))
      }
      if isTotal { made = SubstitutionBounds.all + 1 }
      return false
    }
    if parts.contains(where: \.isReference) { made += length }
    return true
  }

  /// Whether each value can stand in a text; reports the reference to one that can't.
  private mutating func areTexts(
    _ values: [Value], of parts: [ReferenceText.Part], in tree: JSONTree
  ) -> Bool {
    for (part, value) in zip(parts, values) {
      guard case .reference(let name, let offset) = part, case .value(let value) = value,
        value.isNested
      else { continue }
      report(.notText(name, found: value.spoken), at: tree.place(ofScalar: offset))
      return false
    }
    return true
  }

  private mutating func value(of part: ReferenceText.Part, in tree: JSONTree) -> Value {
    switch part {
    case .plain(let text): return .value(.string(text))
    case .broken(let text, let offset):
      report(.badReference(text), at: tree.place(ofScalar: offset))
      return .unset
    case .reference(let words, let offset):
      let (name, key) = words.dividedAtPoint
      let whole = value(of: name, at: tree.place(ofScalar: offset))
      guard let key, whole != .unset else { return whole }
      if let part = whole.part(key) { return .value(part) }
      report(
        .unknownPart(name, part: key, known: whole.parts), at: tree.place(ofScalar: offset))
      return .unset
    }
  }

  /// The value of a parameter; reports it where there is none.
  private mutating func value(of name: String, at place: SourcePlace?) -> Value {
    if name == "item", let item { return .value(item) }
    let isNew = used.insert(name).inserted
    let value = values[name] ?? .unset
    // A parameter whose `--set` didn't hold has been complained about already.
    // A file with more unset parameters than are reported needs no advice on each.
    let isReported = diagnostics.count <= GraphErrors.limit
    let isMissing = isWithin && names.contains(name)
    if value == .unset, isNew || overrides[name] == nil, !isMissing {
      let problem = DocumentProblem.unsetParameter(
        name, isDeclared: names.contains(name), known: names)
      // The parameter that was meant isn't to be called unused.
      if isReported, let meant = closest(to: name, among: names) { used.insert(meant) }
      report(problem, at: place)
    }
    return value
  }

  /// Reports what was set or declared and is used nowhere.
  mutating func finish() {
    for name in overrides.keys.sorted() where !used.contains(name) && !names.contains(name) {
      report(.unknownOverride(name, known: names), at: nil, key: name)
    }
    for parameter in declared where !used.contains(parameter.name.value) {
      let name = parameter.name
      let problem = Problem.document(.unusedParameter(name.value))
      diagnostics.append(
        Diagnostic(problem, at: name.place, key: name.value, severity: .warning))
    }
  }

  private mutating func report(
    _ problem: DocumentProblem, at place: SourcePlace?, key: String? = nil
  ) {
    diagnostics.append(Diagnostic(.document(problem), at: place, key: key))
  }
}

/// How long the texts may grow that substitution makes, in bytes: a few parameters in a small file
/// could otherwise ask for any amount of memory.
enum SubstitutionBounds {
  /// One text: no longer than it could be in a file that has it written out.
  static let text = JSONReader.maximumBytes
  /// All of a graph's texts that have a parameter in them.
  static let all = 16 * JSONReader.maximumBytes
}

extension Substitution.Value {
  /// The value inside a longer text.
  fileprivate var text: String {
    switch self {
    case .value(.string(let text)), .untyped(let text): text
    case .value(.number(let number)): JSONWriter.text(of: number)
    case .value(.bool(let flag)): flag ? "true" : "false"
    default: ""
    }
  }
}

/// A list that is set on the command line: as JSON has it, or with commas between.
private func items(_ text: String) -> JSONValue? {
  if text.hasPrefix("[") {
    guard let (tree, _) = try? JSONReader.read(Array(text.utf8)) else { return nil }
    guard case .array = tree.content else { return nil }
    return tree.value
  }
  let items = text.split(separator: ",").map { item in
    let word = String(item.drop { $0 == " " })
    return number(word).map { JSONValue.number($0) } ?? .string(word)
  }
  return .array(items)
}

/// A number that is set on the command line: as JSON has it, so that `inf` isn't one.
func number(_ text: String) -> Double? {
  guard let (tree, _) = try? JSONReader.read(Array(text.utf8)) else { return nil }
  guard case .number(let number) = tree.content else { return nil }
  return number
}

extension JSONTree {
  /// Where the values of an object's keys stand, or those of a list: `[1]`, `[1].frequency`.
  fileprivate var places: [String: SourcePlace] {
    guard case .array(let items) = content else {
      return (members ?? []).reduce(into: [:]) { $0[$1.key.value] = $1.value.place }
    }
    return items.enumerated().reduce(into: [:]) { places, item in
      places["[\(item.offset)]"] = item.element.place
      for (key, place) in item.element.places { places["[\(item.offset)].\(key)"] = place }
    }
  }
}
