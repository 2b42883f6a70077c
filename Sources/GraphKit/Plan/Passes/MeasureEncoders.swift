/// Has the encoders that work in two passes see their frames for the first time: all that leads to them
/// stays, and what they make is thrown away.
struct MeasureEncoders: PlanPass {
  let name = "measure encoders"

  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let encoders = plan.twoPassEncoders.map(\.name)
    var result = plan
    let needed = plan.nodes(before: encoders).union(encoders)
    result.leaveOut(Set(plan.nodes.map(\.name)).subtracting(needed))
    for name in encoders {
      guard let wire = plan.outputs(of: name).first else { continue }
      let sink = DiscardSink(limit: plan.sessionLimit(after: name))
      let node = PlanNode(DiscardSink.self, sink, name: "pass:\(name)")
      result.nodes.append(node)
      result.wires.append(
        PlanWire(
          from: wire.from, to: PortReference(node.name, "in"), format: wire.format, lowering: .link)
      )
    }
    for index in result.wires.indices where encoders.contains(result.wires[index].to.node) {
      result.wires[index].lowering = .queue(.beforeMeasuring)
    }
    return try SplitReducers().apply(to: result, in: context)
  }
}

extension QueuePolicy {
  /// Of the frames that an encoder measures: they say how far it is, which what it makes needn't do.
  fileprivate static let beforeMeasuring = QueuePolicy(
    time: Nanoseconds.time(Nanoseconds.longest), bytes: 1 << 26, samples: 8,
    interleavingWindow: Nanoseconds.time(Nanoseconds.longest))
}

extension Plan {
  /// The encoders that work in two passes.
  var twoPassEncoders: [PlanNode] {
    nodes.filter { $0.node.making(.first, statistics: "") != nil }
  }

  /// The plan with its encoders set up for one of two passes, whose statistics are in a folder.
  func making(_ pass: EncodingPass, statisticsIn folder: String) -> Plan {
    var plan = self
    plan.firstPasses = []
    let encoders = twoPassEncoders.map(\.name)
    for (number, name) in encoders.enumerated() {
      guard let index = plan.nodes.firstIndex(where: { $0.name == name }),
        let node = plan.nodes[index].node.making(pass, statistics: "\(folder)/\(number)")
      else { continue }
      plan.nodes[index].node = node
    }
    return plan
  }

  /// The longest session of the sinks after a node; `nil` where one of them takes all there is.
  fileprivate func sessionLimit(after name: String) -> MediaTime? {
    var longest: MediaTime?
    for node in nodes(after: [name]) where outputs(of: node).isEmpty {
      guard let limit = self[node]?.node.traits.maximumDuration else { return nil }
      longest = max(longest ?? limit, limit)
    }
    return longest
  }
}
