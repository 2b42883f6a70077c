import GStreamer

/// Wires that are queues. Those that lead to one node are a group: their readiness is one matter.
extension Lowerer {
  func makeQueues() throws(PipelineFailure) {
    var order: [String] = []
    var wires: [String: [PlanWire]] = [:]
    for wire in plan.wires {
      guard case .queue = wire.lowering else { continue }
      if wires[wire.to.node] == nil { order.append(wire.to.node) }
      wires[wire.to.node, default: []].append(wire)
    }
    limits = plan.sessionLimits()
    for node in order { try makeGroup(wires[node] ?? [], to: node) }
  }

  private func makeGroup(_ wires: [PlanWire], to name: String) throws(PipelineFailure) {
    let group = WireGroup(
      wires.compactMap { wire in
        guard case .queue(let policy) = wire.lowering else { return nil }
        return WireGroup.Wire(
          from: wire.from, to: wire.to, policy: policy, limit: limitGate(of: wire),
          session: SessionGate.Input(session(of: wire, among: wires), copies: copies(wire)),
          isAside: asideWires.contains(wire))
      }, waitsInside: plan[name]?.node.work.elementNode != nil, log: context.log)
    groups.append(group)
    let leadsToSink = plan.outputs(of: name).isEmpty
    for (index, wire) in wires.enumerated() {
      try makeQueue(wire, group, index)
      if leadsToSink { sinkQueues.append((group, index)) }
    }
  }

  /// What ends a source's wire where the session of a limited sink does.
  private func limitGate(of wire: PlanWire) -> LimitGate? {
    guard let limit = limits[wire] else { return nil }
    let lead = copies(wire) ? fileStreams[wire.from]?.edit?.lead.nanosecondsClamped ?? 0 : 0
    return LimitGate(
      limit.limit, wire: wire.name,
      LimitGate.Role(starts: limit.starts, waits: limit.waits, lead: lead))
  }

  /// Frames start the session of a sink that has several inputs, and audio waits for them, but
  /// where all of them are copied whole.
  private func session(of wire: PlanWire, among wires: [PlanWire]) -> SessionRole {
    let kinds = wires.map(\.format.kind)
    guard plan.outputs(of: wire.to.node).isEmpty, kinds.contains(.encodedVideo),
      !isCopiedWhole(wires)
    else { return .none }
    return switch wire.format.kind {
    case .encodedVideo: .starts
    case .encodedAudio: .waits(isLive: liveNodes.contains(wire.from.node))
    default: .none
    }
  }

  /// Whether a wire leaves a live source with raw audio that ends beside video.
  private func opensWithSilence(_ wire: PlanWire) -> Bool {
    guard plan[wire.from.node]?.node.traits.isLive == true, wire.format.kind == .audio else {
      return false
    }
    let following = plan.names(reachedFrom: [wire.to.node]).flatMap { plan.outputs(of: $0) }
    return ([wire] + following).contains { wire in
      guard wire.format.kind == .encodedAudio else { return false }
      if case .waits = session(of: wire, among: plan.inputs(of: wire.to.node)) { return true }
      return false
    }
  }

  private func makeQueue(_ wire: PlanWire, _ group: WireGroup, _ index: Int)
    throws(PipelineFailure)
  {
    let entry = plan[wire.from.node]?.node.work.entryNode
    let isExit = plan[wire.to.node]?.node.work.exitNode != nil
    let constraint = Caps(plan.demand(on: wire).capsText)
    let keepsLatest = group.wires[index].policy.keepsLatest
    let opening = opensWithSilence(wire) ? OpeningSilence() : nil
    let end = StageEnd()
    let element = SwiftElement(
      name: "\(wire.name)", inputs: entry == nil ? 1 : 0, outputs: isExit ? 0 : 1,
      runsOutputs: true, isSource: entry != nil, isAside: isAside(wire.to.node)
    ) { outputs in
      QueueBody(
        group: group, index: index, constraint: constraint, output: outputs.first,
        opening: opening, context: context
      ) { if isExit, keepsLatest { end.post() } }
    }
    end.element = element
    add(element, for: wire.to.node)
    queuePads[wire] = (element.inputs.first, element.outputs.first)
    if let entry { try open(entry, wire, group, index) }
    if isExit {
      // A preview that is never read ends all the same.
      outputs[wire.to.node] = SampleOutput(group: group, index: index) {
        if !keepsLatest { end.post() }
      }
    }
  }

  /// Announces the stream that a program will write.
  private func open(_ entry: any EntryNode, _ wire: PlanWire, _ group: WireGroup, _ index: Int)
    throws(PipelineFailure)
  {
    do {
      let format = try entry.entryDescription()
      group.enqueue(.streamStart(wire.from.node), on: index)
      group.enqueue(.caps(format.caps), on: index)
      group.enqueue(.timeSegment(from: UInt64(format.entryOrigin)), on: index)
      inputs[wire.from.node] = SampleInput(group: group, index: index, format: format)
    } catch {
      throw PipelineFailure(node: wire.from.node, message: error.message, remedy: error.remedy)
    }
  }
}
