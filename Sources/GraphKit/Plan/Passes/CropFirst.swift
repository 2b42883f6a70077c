/// Has pictures be cropped before their colours are changed, so that no colour is worked out that
/// nobody sees.
///
/// The rule: a crop changes places with the point effect before it where one wire leads from the
/// one to the other and nowhere else. What comes out is the same; but for sizes that are or may be
/// odd in layouts where pixels share their chroma, where the order stays.
public struct CropFirst: PlanPass {
  /// What a listing calls the pass.
  public let name = "crop first"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    // A crop may pass several effects, and each time it has fewer before it.
    while let wire = result.wires.firstIndex(where: { result.canSwap($0) }) {
      result.swap(at: wire)
    }
    return result
  }
}

extension Plan {
  /// Whether a wire leads from a point effect to a crop that may come before it.
  fileprivate func canSwap(_ wire: PlanWire) -> Bool {
    guard let effect = self[wire.from.node], let crop = self[wire.to.node],
      effect.node.pointEffect != nil, crop.node.isCrop, outputs(of: effect.name).count == 1,
      inputs(of: effect.name).count == 1, inputs(of: crop.name).count == 1
    else { return false }
    let cropped = outputs(of: crop.name).map(\.format)
    return cropped.allSatisfy { format in
      let sharesChroma = format.pixelFormats.first.map { $0 == .i420 || $0 == .nv12 } ?? true
      guard let width = format.width, let height = format.height else {
        return !sharesChroma || crop.node.cropsToEvenSizes
      }
      return !sharesChroma || (width % 2 == 0 && height % 2 == 0)
    }
  }

  /// Lets the node behind a wire change places with the one before it.
  fileprivate mutating func swap(at index: Int) {
    let (effect, crop) = (wires[index].from.node, wires[index].to.node)
    let cropped = outputs(of: crop).first?.format ?? wires[index].format
    for other in wires.indices where other != index {
      if wires[other].to.node == effect {
        wires[other].to = wires[index].to
      } else if wires[other].from.node == crop {
        wires[other].from = wires[index].from
      }
    }
    let input = self[effect]?.ports.first { $0.direction == .input }?.name ?? "in"
    let output = self[crop]?.ports.first { $0.direction == .output }?.name ?? "out"
    wires[index].from = PortReference(crop, output)
    wires[index].to = PortReference(effect, input)
    wires[index].format = cropped
  }
}
