extension NodeType {
  /// What is wrong with how the type is declared, whatever a graph says of its node; `nil` for a sound
  /// declaration. A graph that names a faulty type isn't valid, and a plug-in with one isn't loaded.
  public var fault: NodeError? {
    let text = nameFault ?? parameterFault ?? portFault
    return text.map {
      NodeError("the node type `\(name)` \($0)", remedy: "mend the type's declaration")
    }
  }

  private var nameFault: String? {
    if name.isEmpty { return "has no name" }
    return name == GraphLevel.type ? "has the name of what includes a graph" : nil
  }

  private var parameterFault: String? {
    let names = parameters.map(\.name)
    if let twice = names.repeated { return "declares two parameters `\(twice)`" }
    let taken = [NodeKey.type, NodeKey.foreach, NodeKey.optional, ""]
    if let name = names.first(where: taken.contains) {
      return "declares a parameter `\(name)`, which graph files have another meaning for"
    }
    return parameters.lazy.compactMap { parameter in
      guard let value = parameter.defaultValue, value != .null,
        !value.fits(parameter.kind) || !parameter.kind.includes(value)
      else { return nil }
      return "has \(plain(value)) for a default of `\(parameter.name)`, which that doesn't take"
    }.first
  }

  private var portFault: String? {
    let inputs = ports.filter { $0.direction == .input }.map(\.name)
    let outputs = ports.filter { $0.direction == .output }.map(\.name)
    if let twice = inputs.repeated { return "declares two inputs `\(twice)`" }
    if let twice = outputs.repeated { return "declares two outputs `\(twice)`" }
    if ports.contains(where: \.name.isEmpty) { return "declares a port without a name" }
    let lost = ports.first { $0.follows.map { !inputs.contains($0) } ?? false }
    return lost.map {
      "has `\($0.name)` follow `\($0.follows ?? "")`, which is no input of it"
    }
  }
}

extension ParameterKind {
  /// Whether a value of the kind's type is one of those that it takes.
  fileprivate func includes(_ value: JSONValue) -> Bool {
    switch value {
    case .number(let number): bounds.map { ($0.low...$0.high).contains(number) } ?? true
    case .string(let word): words?.contains(word) ?? true
    default: true
    }
  }
}

extension [String] {
  /// The first that is there more than once.
  fileprivate var repeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}
