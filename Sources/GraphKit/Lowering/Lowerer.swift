import GStreamer

/// Makes the elements of a plan and links them: a part after the other, each from the plan and those
/// before it.
struct Lowerer {
  let plan: Plan
  let environment: any Environment
  let context: RunContext

  init(_ plan: Plan, environment: any Environment, context: RunContext) {
    (self.plan, self.environment, self.context) = (plan, environment, context)
  }

  /// Makes everything; throws where an element is missing or two don't fit.
  func lower() throws(PipelineFailure) -> Lowered {
    let blueprint = try Blueprint(plan, environment: environment)
    Library.start(plugins: blueprint.plugins)
    let bin = Element.pipeline("graph")
    bin.forwardEnds()
    let elements = try ElementBuilder.part(blueprint, environment, context, in: bin)
    let queues = try QueueBuilder.part(blueprint, context, in: bin)
    let stages = StageBuilder.part(
      blueprint, context, elements.demands(blueprint), queues, in: bin)
    let links = try LinkBuilder.part(blueprint, context, elements, queues, stages)
    elements.keepLeads(blueprint)
    elements.noteFirstSamples()
    return Lowered(bin, blueprint, elements, queues, stages, links)
  }
}

extension Lowered {
  fileprivate init(
    _ bin: Element, _ blueprint: Blueprint, _ elements: ElementPart, _ queues: QueuePart,
    _ stages: StagePart, _ links: LinkPart
  ) {
    let parts = [elements.elements, queues.elements, stages.elements, links.elements]
    pipeline = bin
    swiftElements = parts.flatMap(\.swift)
    owners = parts.reduce(into: [:]) { $0.merge($1.owners) { first, _ in first } }
    groundlessComplaints = blueprint.rows.flatMap(\.chain.allElements)
      .flatMap(\.groundlessComplaints)
    groups = queues.groups
    counters = stages.counters + links.counters
    changes = elements.changes.merging(stages.changes) { first, _ in first }
    loops = stages.loops
    places = stages.places
    inputs = queues.inputs
    outputs = queues.outputs
    sinkQueues = queues.sinkQueues
    livePads = elements.livePads(blueprint)
    fileOutputs = blueprint.rows.reduce(into: [:]) { $0[$1.node.name] = $1.chain.output }
    tracks = blueprint.rows.reduce(into: [:]) {
      $0[$1.node.name] = blueprint.tracks(of: $1.node.name)
    }
    accounts = elements.accounts
    streams = links.streams + elements.streams
    unread = links.unread
    claims = elements.claims
    writers = elements.writers
    copies = Array(links.copies.values)
    thinners = queues.thinners
    asideWires = Set(blueprint.asideWires.map(\.name))
  }
}

extension ElementPart {
  /// For each live source made of elements, the pads that its samples leave through.
  fileprivate func livePads(_ blueprint: Blueprint) -> [[Pad]] {
    blueprint.rows.filter(\.node.node.traits.isLive).map { row in
      ends.compactMap { port, end in
        guard port.node == row.node.name, case .pad(let pad) = end else { return nil }
        return pad
      }
    }.filter { !$0.isEmpty }
  }

  /// Has files know that there are samples for them, which a muxer may still hold when the run fails.
  fileprivate func noteFirstSamples() {
    for claim in claims {
      for (port, pad) in entrances where port.node == claim.node {
        pad.onFirstData { [weak claim] in
          claim?.expectSamples()
          return true
        }
      }
    }
  }

  /// Has files take in the packets that come before what is presented, which a muxer would throw
  /// away. Their edit lists skip them afterwards.
  fileprivate func keepLeads(_ blueprint: Blueprint) {
    for wire in blueprint.plan.wires where blueprint.copies(wire) && !blueprint.copiesRange(wire) {
      guard !blueprint.isHandedOver(wire), let edit = blueprint.fileStream(wire.from)?.edit,
        edit.origin == nil, !edit.keepsSegments
      else { continue }
      entrances[wire.to]?.present(edit.leadPresentation)
    }
  }
}

extension PlanWire {
  /// The wire as people name it.
  var name: String { "\(from) -> \(to)" }
}
