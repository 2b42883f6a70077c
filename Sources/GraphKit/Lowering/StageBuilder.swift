import GStreamer
import GraphKitSystem

/// Makes the stages: the Swift nodes of one number become one element.
struct StageBuilder {
  private let blueprint: Blueprint
  private let context: RunContext
  /// What inputs ask of packets that other processes hand over.
  private let demands: [PortReference: PacketDemand]
  private let queues: QueuePart
  private var part: StagePart

  private var plan: Plan { blueprint.plan }

  /// The stages of all of a plan's Swift nodes.
  static func part(
    _ blueprint: Blueprint, _ context: RunContext, _ demands: [PortReference: PacketDemand],
    _ queues: QueuePart, in bin: Element
  ) -> StagePart {
    var builder = StageBuilder(
      blueprint: blueprint, context: context, demands: demands, queues: queues,
      part: StagePart(elements: PartElements(in: bin)))
    for stage in blueprint.plan.stages { builder.make(stage) }
    return builder.part
  }

  private mutating func make(_ stage: Plan.Stage) {
    let (nodes, arriving, leaving) = (stage.nodes, stage.arriving, stage.leaving)
    let end = StageEnd()
    let element = SwiftElement(
      name: stage.name, inputs: arriving.count, outputs: leaving.count,
      isSource: stage.source != nil, isAside: nodes.allSatisfy { blueprint.isAside($0.name) }
    ) { pads in
      makeBody(stage, pads, end: end)
    }
    end.element = element
    part.elements.add(element, for: nodes[0].name)
    for (wire, pad) in zip(arriving, element.inputs) { part.entrances[wire.to] = pad }
    for (wire, pad) in zip(leaving, element.outputs) { part.exits[wire] = pad }
  }

  private mutating func makeBody(_ stage: Plan.Stage, _ pads: [Pad], end: StageEnd) -> StageBody {
    let tails = zip(stage.leaving, pads).map { tail(of: stage, $0, $1) }
    let assembly = StageAssembly(
      plan, context, stage.nodes, tails: Dictionary(uniqueKeysWithValues: zip(stage.leaving, tails))
    )
    part.places[stage.name] = assembly.place
    let isSink = stage.leaving.isEmpty
    let loop = stage.source.map { source in
      let loop = SourceLoop(name: source.name)
      if var node = source.node.work.sourceNode {
        node.settle(demands: demands(of: source))
        let runner = SourceRunner(source: node, outputs: assembly.outputs(of: source)) {
          if isSink { end.post() }
        }
        part.loops.append(PendingLoop(loop, runner))
      }
      return loop
    }
    let heads = stage.arriving.map { wire in
      assembly.input(wire, counter: wire.lowering == .link ? count(wire) : nil)
    }
    part.counters += assembly.counters
    part.changes.merge(assembly.changes) { first, _ in first }
    return StageBody(
      name: stage.name, heads: heads, tails: tails,
      constraints: stage.arriving.map { Caps(plan.demand(on: $0).capsText) },
      proxy: stage.handsFormatsOn && stage.arriving.count == 1 && pads.count == 1 ? pads[0] : nil,
      loop: loop, context: context
    ) { end.post() }
  }

  private mutating func tail(of stage: Plan.Stage, _ wire: PlanWire, _ pad: Pad) -> PadTarget {
    PadTarget(
      pad, of: wire, counter: wire.lowering == .link ? count(wire) : nil,
      stream: stage.source.map { "\($0.name).\(wire.from.port)" },
      queue: stage.source == nil ? nil : queues.queue(of: wire))
  }

  /// What is asked of a source's packets, by its outputs.
  private func demands(of source: PlanNode) -> [String: PacketDemand] {
    plan.outputs(of: source.name).reduce(into: [:]) { $0[$1.from.port] = demands[$1.to] }
  }

  private mutating func count(_ wire: PlanWire) -> WireCounter {
    let counter = WireCounter()
    part.counters.append((wire.name, counter))
    return counter
  }
}

extension Plan {
  /// The Swift nodes of one number, and the wires that cross their border.
  struct Stage {
    let nodes: [PlanNode]
    let arriving: [PlanWire]
    let leaving: [PlanWire]

    var name: String { "stage " + nodes.map(\.name).joined(separator: "+") }

    /// The source that the stage begins with, where it begins with one.
    var source: PlanNode? { nodes.first { $0.node.work.sourceNode != nil } }

    /// Whether what follows the stage may say what enters it.
    var handsFormatsOn: Bool {
      nodes.allSatisfy { !$0.node.reshapesVideo }
        && Set((arriving + leaving).map(\.format.kind)).count == 1
    }
  }

  /// The stages, by their numbers.
  var stages: [Stage] {
    let stages = Dictionary(grouping: nodes.filter { $0.stage != nil }) { $0.stage ?? 0 }
    let crossing = wires.filter { $0.lowering != .call }
    let stageOf = Dictionary(
      nodes.map { ($0.name, $0.stage) }, uniquingKeysWith: { first, _ in first })
    let arriving = Dictionary(grouping: crossing) { stageOf[$0.to.node] ?? nil }
    let leaving = Dictionary(grouping: crossing) { stageOf[$0.from.node] ?? nil }
    return stages.sorted { $0.key < $1.key }.map { number, nodes in
      Stage(nodes: nodes, arriving: arriving[number] ?? [], leaving: leaving[number] ?? [])
    }
  }
}

/// A stage's way to report its end. Weak: the element owns the stage that reports it.
final class StageEnd: Sendable {
  private let state = Monitor(WeakElement())

  private struct WeakElement { weak var element: SwiftElement? }

  var element: SwiftElement? {
    get { state.withLock { $0.element } }
    set { state.withLock { $0.element = newValue } }
  }

  func post() { element?.postEndOfStream() }
}
