extension GraphDraft {
  /// Takes the steps of a document, with `${…}` replaced.
  mutating func insertSteps(
    of document: GraphDocument, _ substitution: inout Substitution, at level: GraphLevel
  ) {
    guard let list = document.whenSlow else { return }
    guard level.files.count == 1 else {
      return diagnostics.append(
        Diagnostic(
          .document(.innerSteps), at: list.first?.place, key: GraphDocument.stepsKey,
          severity: .warning))
    }
    steps = list.compactMap { tree in
      tree.members.map { step($0, at: tree.place, &substitution) }
        ?? step(named: tree, &substitution)
    }
  }

  /// Takes the steps of a program.
  mutating func take(_ list: [EconomyStep]) { steps = list.map(DraftStep.init) }

  private mutating func step(named tree: JSONTree, _ substitution: inout Substitution) -> DraftStep?
  {
    let member = JSONTree.Member(key: Located(GraphDocument.stepsKey), value: tree)
    guard let value = substitution.apply(to: member, of: nil)?.value.value else { return nil }
    if let word = value.text, let known = EconomyStep.words.first(where: { $0.word == word }) {
      return DraftStep(known.step)
    }
    let words = EconomyStep.words.map(\.word)
    return misread(
      found: plain(value),
      value.text.flatMap { closest(to: $0, among: words) }.map { "`\"\($0)\"`" },
      at: tree.place)
  }

  private mutating func step(
    _ members: [JSONTree.Member], at place: SourcePlace?, _ substitution: inout Substitution
  ) -> DraftStep? {
    let count = diagnostics.count
    for member in members where !EconomyStep.Key.all.contains(member.key.value) {
      report(
        .document(.unknownKey(member.key.value, known: EconomyStep.Key.all)),
        at: member.key.place, key: GraphDocument.stepsKey)
    }
    guard diagnostics.count == count else { return nil }
    let actions = members.filter { $0.key.value != EconomyStep.Key.node }
    guard let named = members.first(where: { $0.key.value == EconomyStep.Key.node }),
      !actions.isEmpty
    else { return misread(found: "an object without a node and what is done there", at: place) }
    guard actions.count == 1 else {
      let keys = actions.map { "`\($0.key.value)`" }.joined(separator: " and ")
      return misread(found: "an object with \(keys)", "one entry for each of them", at: place)
    }
    guard let node = substitution.apply(to: named, of: nil)?.value else { return nil }
    guard let name = node.value.text else {
      return misread(found: node.value.spoken, at: node.place)
    }
    guard let action = action(actions[0], of: name, &substitution) else { return nil }
    return DraftStep(action: action, node: Located(name, at: node.place))
  }

  private mutating func action(
    _ member: JSONTree.Member, of node: String, _ substitution: inout Substitution
  ) -> DraftStep.Action? {
    if member.key.value == EconomyStep.Key.set, let values = member.value.members {
      guard !values.isEmpty else {
        return misread(
          found: "`set` without a parameter", "the parameters to set, with their values",
          at: member.value.place)
      }
      let fields = values.map { substitution.apply(to: $0, of: node) }
      return fields.contains { $0 == nil } ? nil : .set(fields.compactMap(\.self))
    }
    guard var field = substitution.apply(to: member, of: node) else { return nil }
    if field.isUntyped {
      let isShare = member.key.value == EconomyStep.Key.keepEvery
      field.convert(to: isShare ? .integer(EconomyStep.shares) : .bool)
    }
    switch (member.key.value, field.value.value) {
    case (EconomyStep.Key.pause, .bool(true)): return .pause
    case (EconomyStep.Key.keepEvery, .number(let number)) where number == number.rounded():
      guard EconomyStep.shares.contains(Int(max(-1, min(number, 1e6)))) else { break }
      return .keepEvery(Located(Int(number), at: field.value.place))
    default: break
    }
    return misread(
      found: "`\(member.key.value)` with \(plain(field.value.value))", at: field.value.place)
  }

  private mutating func misread<T>(found: String, _ meant: String? = nil, at place: SourcePlace?)
    -> T?
  {
    let shape =
      "`\"previews\"`, `\"effects\"`, `\"frameRate\"`, or a `node` with `set`, `\"pause\": true` or "
      + "`keepEvery` from \(EconomyStep.sharesInWords)"
    report(
      .document(.wrongType(part: "the step", found: found, expected: meant ?? shape)), at: place,
      key: GraphDocument.stepsKey)
    return nil
  }

  /// Gives each step a node of its own, and its values the types of their parameters.
  mutating func settleSteps() {
    steps = steps?.flatMap { step -> [DraftStep] in
      guard case .several(let names) = groups[step.node.value] else { return [step] }
      return names.map { name in
        var one = step
        one.node.value = name
        return one
      }
    }.map { step in
      guard case .set(let fields) = step.action, let type = node(of: step)?.type else {
        return step
      }
      var typed = step
      typed.action = .set(
        fields.map { field in
          var field = field
          guard let info = type.parameters.first(where: { $0.name == field.key.value }) else {
            return field
          }
          if field.isUntyped { field.convert(to: info.kind) }
          field.readQuantities(of: info)
          return field
        })
      return typed
    }
  }

  /// The node that a step names, where there is one.
  func node(of step: DraftStep) -> DraftNode? { index(of: step.node.value).map { nodes[$0] } }
}
