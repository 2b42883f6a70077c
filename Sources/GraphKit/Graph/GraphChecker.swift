extension GraphDraft {
  /// Applies every rule, and makes the graph if all of them hold.
  consuming func check(in environment: any Environment) throws(GraphErrors) -> Graph {
    checkNodes(in: environment)
    settleSteps()
    diagnostics += EconomySteps.check(self)
    joinRows()
    leaveOutAbsent()
    adoptMedia()
    for rule in Self.wireRules { diagnostics += rule.check(self) }
    choosePorts()
    settleFormats()
    identifyFiles(in: environment)
    for rule in Self.graphRules { diagnostics += rule.check(self) }
    for index in diagnostics.indices {
      diagnostics[index].within = inclusions.chain(of: diagnostics[index])
    }
    guard diagnostics.allSatisfy({ $0.severity == .warning }) else {
      throw GraphErrors(diagnostics, file: file, omitted: omitted)
    }
    return Graph(self)
  }

  /// What a node must be, whatever it is wired to.
  static let nodeRules: [any NodeRule.Type] = [
    UnsoundType.self, UnknownParameter.self, ParameterType.self, ParameterRange.self,
    ParameterChoice.self, ParameterItems.self, ParameterText.self, MissingParameter.self,
    KeyframeOrder.self,
  ]
  /// What the ends of wires must name.
  static let wireRules: [any GraphRule.Type] = [
    UnknownNode.self, UnknownPort.self, WireDirection.self, SelfWire.self,
  ]
  /// What must hold once each wire has its ports.
  static let graphRules: [any GraphRule.Type] = [
    EmptyGraph.self, MediaMismatch.self, FormatMismatch.self, UnwiredNode.self,
    UnwiredInput.self, UnwiredOutput.self, Cycle.self, SharedPath.self, SharedAddress.self,
    StatedMisfit.self, WholeStream.self, TwoPasses.self, HeldBack.self, TakenInTurn.self,
    StillPicture.self, CopiedRange.self, StrangersPackets.self, MovedTimes.self,
  ]
}

extension GraphDraft {
  private mutating func checkNodes(in environment: any Environment) {
    for index in nodes.indices {
      diagnostics += UnknownType.check(nodes[index], in: catalog)
      let named = nodes[index].typeName.flatMap { catalog[$0.value] }
      nodes[index].type = nodes[index].type ?? named
      guard let type = nodes[index].type else {
        nodes[index].isSound = false
        continue
      }
      nodes[index].configure(as: type)
      judge(index, by: Self.nodeRules, type)
      // Parameters of which one is wrong can't be judged together.
      if nodes[index].isSound { judge(index, by: [StatedProblem.self], type) }
      if nodes[index].isSound { diagnostics += nodes[index].resolve(in: environment) }
    }
  }

  private mutating func judge(_ index: Int, by rules: [any NodeRule.Type], _ type: NodeType) {
    let found = rules.flatMap { $0.check(nodes[index], of: type) }
    diagnostics += found
    if !found.isEmpty { nodes[index].isSound = false }
  }

  /// Makes wires of rows: one for each pair of neighbours.
  private mutating func joinRows() {
    for index in rows.indices {
      for middle in rows[index].indices.dropFirst().dropLast() {
        rows[index][middle].isMiddle = true
      }
      for (from, to) in zip(rows[index], rows[index].dropFirst()) {
        wires.append(
          DraftWire(
            from: from, to: to, source: self.index(of: from.node), target: self.index(of: to.node)))
      }
    }
  }
}

extension DraftNode {
  /// Gives text from the command line the type that its parameter wants, and configures the node.
  fileprivate mutating func configure(as type: NodeType) {
    var node = node ?? type.make()
    for index in fields.indices {
      let info = type.parameters.first { $0.name == fields[index].key.value }
      if let info, fields[index].isUntyped { fields[index].convert(to: info.kind) }
      if let info { fields[index].readQuantities(of: info) }
      _ = type.set(fields[index].key.value, to: fields[index].initialValue(of: info), of: &node)
    }
    self.node = node
  }

  /// Lets the node look at the machine, and takes the ports that it then has.
  fileprivate mutating func resolve(in environment: any Environment) -> [Diagnostic] {
    guard var node else { return [] }
    do {
      notices = try node.resolve(in: environment)
      self.node = node
      ports = node.portDeclarations
      return []
    } catch {
      isSound = false
      return [stated(error)]
    }
  }

  /// What the node says of itself, at the place of the key that it blames.
  func stated(_ error: NodeError) -> Diagnostic {
    Diagnostic(
      .node(.stated(error)), at: place(of: error.key), node: name.value, key: error.key)
  }
}

extension DraftField {
  /// The value that the node begins with: the first keyframe's, where there are keyframes.
  fileprivate func initialValue(of info: NodeType.ParameterInfo?) -> JSONValue {
    info.flatMap { values(of: $0.kind).first?.value.value } ?? value.value
  }
}
