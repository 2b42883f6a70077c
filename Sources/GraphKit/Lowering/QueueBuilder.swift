import GStreamer

/// Makes the wires that are queues. Those that lead to one node are a group: their readiness is one
/// matter.
struct QueueBuilder {
  private let blueprint: Blueprint
  private let context: RunContext
  private var part: QueuePart

  private var plan: Plan { blueprint.plan }

  /// The queues of all of a plan's wires that are some.
  static func part(_ blueprint: Blueprint, _ context: RunContext, in bin: Element)
    throws(PipelineFailure) -> QueuePart
  {
    var builder = QueueBuilder(
      blueprint: blueprint, context: context, part: QueuePart(elements: PartElements(in: bin)))
    for group in blueprint.plan.queuesByTarget { try builder.makeGroup(group) }
    return builder.part
  }

  private mutating func makeGroup(_ queues: [(wire: PlanWire, policy: QueuePolicy)])
    throws(PipelineFailure)
  {
    let wires = queues.map(\.wire)
    guard let name = wires.first?.to.node else { return }
    let thinners = wires.map { makeThinners(on: $0) }
    let group = WireGroup(
      zip(queues, thinners).map { queue, thinners in
        let (wire, policy) = queue
        return WireGroup.Wire(
          from: wire.from, to: wire.to, policy: policy, limit: blueprint.limitGate(of: wire),
          session: SessionGate.Input(
            blueprint.session(of: wire, among: wires), copies: blueprint.copies(wire)),
          isAside: blueprint.asideWires.contains(wire),
          delivery: blueprint.delivery(on: wire, among: wires),
          turn: plan.turn(of: wire),
          endsTogether: blueprint.endsTogether(wire, among: wires), thinners: thinners)
      }, waitsInside: plan[name]?.node.work.elementNode != nil, log: context.log)
    part.groups.append(group)
    let leadsToSink = plan.outputs(of: name).isEmpty
    for (index, wire) in wires.enumerated() {
      try makeQueue(wire, group, index)
      if leadsToSink { part.sinkQueues.append((group, index)) }
    }
  }

  /// What leaves frames out on a wire: the same for all wires of an output.
  private mutating func makeThinners(on wire: PlanWire) -> [FrameThinner] {
    plan.thinnedStreams(on: wire).map { stream in
      let thinner = part.thinners[stream] ?? FrameThinner()
      part.thinners[stream] = thinner
      return thinner
    }
  }

  private mutating func makeQueue(_ wire: PlanWire, _ group: WireGroup, _ index: Int)
    throws(PipelineFailure)
  {
    let entry = plan[wire.from.node]?.node.work.entryNode
    let isExit = plan[wire.to.node]?.node.work.exitNode != nil
    let constraint = Caps(plan.demand(on: wire).capsText)
    let keepsLatest = group.wires[index].policy.keepsLatest
    let opening = blueprint.opensWithSilence(wire) ? OpeningSilence() : nil
    let end = StageEnd()
    let element = SwiftElement(
      name: "\(wire.name)", inputs: entry == nil ? 1 : 0, outputs: isExit ? 0 : 1,
      runsOutputs: group.wires[index].delivery != .direct, isSource: entry != nil,
      isAside: blueprint.isAside(wire.to.node)
    ) { outputs in
      QueueBody(
        group: group, index: index, constraint: constraint, output: outputs.first,
        opening: opening, context: context
      ) { if isExit, keepsLatest { end.post() } }
    }
    end.element = element
    part.elements.add(element, for: wire.to.node)
    part.pads[wire] = (element.inputs.first, element.outputs.first)
    if let entry { try open(entry, wire, group, index) }
    if isExit {
      // A preview that is never read ends all the same.
      part.outputs[wire.to.node] = SampleOutput(group: group, index: index) {
        if !keepsLatest { end.post() }
      }
    }
  }

  /// Announces the stream that a program will write.
  private mutating func open(
    _ entry: any EntryNode, _ wire: PlanWire, _ group: WireGroup, _ index: Int
  ) throws(PipelineFailure) {
    do {
      let format = try entry.entryDescription()
      group.enqueue(.streamStart(wire.from.node), on: index)
      group.enqueue(.caps(format.caps), on: index)
      group.enqueue(.timeSegment(from: UInt64(format.entryOrigin)), on: index)
      part.inputs[wire.from.node] = SampleInput(group: group, index: index, format: format)
    } catch {
      throw PipelineFailure(node: wire.from.node, error)
    }
  }
}

extension Plan {
  /// What steps may leave frames of a wire out of.
  fileprivate func thinnedStreams(on wire: PlanWire) -> [ThinnedStream] {
    guard !steps.isEmpty, case .queue(let policy) = wire.lowering else { return [] }
    var streams: [ThinnedStream] = []
    if wire.format.kind == .video, frameShare(of: wire.from.node) > 1 {
      streams.append(.source(wire.from.node))
    }
    if policy.keepsLatest {
      let sinks = names(reachedFrom: [wire.to.node]).filter { outputs(of: $0).isEmpty }
      if sinks.isSubset(of: pausedPreviews) { streams.append(.previews(sinks)) }
    }
    return streams
  }

  /// The wires that are queues, by the node that they lead to, in the order of the first of each.
  var queuesByTarget: [[(wire: PlanWire, policy: QueuePolicy)]] {
    var groups: [[(wire: PlanWire, policy: QueuePolicy)]] = []
    var numbers: [String: Int] = [:]
    for wire in wires {
      guard case .queue(let policy) = wire.lowering else { continue }
      if let number = numbers[wire.to.node] {
        groups[number].append((wire, policy))
      } else {
        numbers[wire.to.node] = groups.count
        groups.append([(wire, policy)])
      }
    }
    return groups
  }
}
