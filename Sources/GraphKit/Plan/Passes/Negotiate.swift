/// Chooses formats for whole paths, and inserts decoders and converters only where no format
/// suits both ends of a wire.
///
/// An output that leaves a field of its format open makes whatever is asked of it, unless it
/// follows an input (then it gives what it gets) or is a decoder's (then the stream decides).
public struct Negotiate: PlanPass {
  /// What a listing calls the pass.
  public let name = "negotiate"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let topology = try plan.topology()
    let wishes = Wishes(plan, topology)
    var bridge = Bridge(catalog: context.catalog, names: plan.nodes.map(\.name))
    var wires = plan.wires.map { [$0] }
    var arriving: [String: [String: FormatConstraint]] = [:]
    for number in topology.order {
      let node = plan.nodes[number]
      for wire in topology.outgoing[number] {
        let (from, to) = (plan.wires[wire].from, plan.wires[wire].to)
        guard let port = node.port(from.port, .output), let wanted = wishes.inputs[to] else {
          continue
        }
        let offer = node.offer(
          of: port, wish: wishes.outputs[from], arriving: arriving[node.name] ?? [:])
        let target = plan.nodes[topology.target(of: wire)]
        let wish = offer.widened(wanted, to: target.port(to.port, .input)?.format)
        // What is reduced has to be exact: a reducer narrows samples itself, without dither.
        let keepsSamples = target.type.role == .reducer
        wires[wire] = try bridge.span(
          plan.wires[wire], offer, wish: wish, keepsSamples: keepsSamples)
        arriving[to.node, default: [:]][to.port] = wires[wire].last?.format
      }
    }
    var result = plan
    result.nodes += bridge.nodes
    result.wires = wires.flatMap { $0 }
    return result
  }
}
