extension Plan {
  /// What passes at each wired port of a node, as far as it is known.
  func formats(at name: String) -> [String: FormatConstraint] {
    var formats: [String: FormatConstraint] = [:]
    for wire in inputs(of: name) { formats[wire.to.port] = wire.format }
    for wire in outputs(of: name) { formats[wire.from.port] = wire.format }
    return formats
  }

  /// The same, and of frames which way up they are, which no coding changes.
  func settledFormats(at name: String) -> [String: FormatConstraint] {
    var formats = formats(at: name)
    for wire in inputs(of: name) { formats[wire.to.port]?.rotation = rotation(of: wire) }
    return formats
  }

  /// The rotation that the frames on a wire need; `nil` where it isn't known.
  func rotation(of wire: PlanWire) -> Rotation? {
    wire.format.rotation ?? rotation(behind: wire.from.node)
  }

  /// By how much frames are to be turned that leave a node as they entered it: a walk up to where
  /// that is known, and then back down.
  private func rotation(behind name: String) -> Rotation? {
    var (way, entering) = ([name], Rotation?.none)
    while let last = way.last {
      if let known = index.rotation(behind: last) {
        entering = known
        way.removeLast()
        break
      }
      let earlier = inputs(of: last)
      guard earlier.count == 1 else { break }
      entering = earlier[0].format.rotation
      if entering != nil { break }
      way.append(earlier[0].from.node)
    }
    for node in way.reversed() {
      entering = entering.flatMap { turned($0, by: node) }
      index.keep(entering, behind: node)
    }
    return entering
  }

  /// How frames lie after a node that they enter so.
  private func turned(
    _ rotation: Rotation, by name: String
  ) -> Rotation? {
    var entering = FormatConstraint(.video)
    entering.rotation = rotation
    guard let reshaped = self[name]?.node.reshaped(entering) else { return rotation }
    return reshaped.rotation
  }

  /// How long a node holds media back, given what passes there.
  func latency(of node: PlanNode) -> MediaTime {
    node.node.latency(formats: formats(at: node.name))
  }

  /// What a wire has to make sure of: its format without what is merely known of it.
  ///
  /// An output that follows an input makes nothing of its own where it leaves a field open, so a
  /// filter there could only refuse samples, such as those of a stream whose frame rate isn't
  /// quite what its file says.
  func demand(on wire: PlanWire) -> FormatConstraint {
    guard let source = self[wire.from.node], let output = source.port(wire.from.port, .output),
      output.follows != nil || source.leavesFormatToRun
    else { return wire.format }
    let taken = self[wire.to.node]?.port(wire.to.port, .input)?.format
    var demand = wire.format
    for field in FormatField.all where taken.map(field.isOpen) ?? true {
      // What an element's templates list is no choice of the plan's.
      let isKnowledge = field.outlivesCoding && field.isOpen(output.format)
      guard isKnowledge || source.type.role == .general else { continue }
      field.copy(FormatConstraint(.any), &demand)
    }
    return demand
  }
}
