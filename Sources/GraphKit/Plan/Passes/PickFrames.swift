/// Has no more of a file's video be decoded than the frames need that a node asks for.
///
/// Between the file and the node there are only nodes that make one frame of one, at the same time;
/// where others get the video, too, all of it is decoded.
public struct PickFrames: PlanPass {
  /// What a listing calls the pass.
  public let name = "pick frames"

  /// The pass.
  public init() {}

  public func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    var result = plan
    for index in plan.nodes.indices {
      guard let way = plan.pictureWay(to: plan.nodes[index].name) else { continue }
      if let duration = way.source.duration {
        result.nodes[index].node.settle(streamDuration: duration)
      }
      guard let times = result.nodes[index].node.traits.frameTimes, way.source.range == nil,
        let packets = way.packets
      else { continue }
      result.pick(times, on: packets, for: plan.nodes[index].name)
    }
    return result
  }
}

/// The way of a file's video to a node that ends it.
private struct PictureWay {
  var source: FileStream
  /// The wire that has packets of it, in front of the decoder; `nil` where it is raw in the file.
  var packets: PlanWire?
}

extension Plan {
  /// The way of a file's video to a node of one input, which alone it is for.
  fileprivate func pictureWay(to name: String) -> PictureWay? {
    guard outputs(of: name).isEmpty, self[name]?.ports.first?.format.kind == .video else {
      return nil
    }
    var packets: PlanWire?
    var at = name
    while let wire = inputs(of: at).first, inputs(of: at).count == 1,
      let from = self[wire.from.node]
    {
      if wire.format.kind == .encodedVideo { packets = wire }
      if let stream = from.node.fileStreams?[wire.from.port] {
        return PictureWay(source: stream, packets: packets)
      }
      guard outputs(of: from.name).count == 1, from.keepsFrames else { return nil }
      at = from.name
    }
    return nil
  }

  /// Puts what picks packets on a wire.
  fileprivate mutating func pick(_ times: FrameTimes, on wire: PlanWire, for name: String) {
    guard let index = wires.firstIndex(of: wire) else { return }
    let node = PlanNode(
      PacketPicker.self, PacketPicker(wire.format, times), name: "pick:\(name)")
    nodes.append(node)
    wires[index].to = PortReference(node.name, "in")
    var exit = wire
    exit.from = PortReference(node.name, "out")
    wires.append(exit)
  }
}

extension PlanNode {
  /// Whether the node makes one frame of each, whatever comes before and after it.
  fileprivate var keepsFrames: Bool {
    switch type.role {
    case .decoder: true
    case .converter: !ports.contains { $0.format.frameRate != nil }
    default: node.work.pointEffect != nil || node.reshapesVideo
    }
  }
}
