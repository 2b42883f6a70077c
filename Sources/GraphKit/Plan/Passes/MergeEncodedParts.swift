/// Has the parts of a graph's video put together that ``CutEncoders`` has encoded: in place of each
/// encoder is a source of the packets of all parts, and what led to it is left out. All else is done as in
/// a single run.
struct MergeEncodedParts: PlanPass {
  let name = "merge encoded parts"
  /// The files of the parts, in the order of the video.
  let paths: [String]

  init(_ paths: [String]) { self.paths = paths }

  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    let cut = try VideoCut(plan).paths
    var result = plan
    for (track, path) in cut.enumerated() {
      guard let index = plan.nodes.firstIndex(where: { $0.name == path.encoder.name }),
        let wire = plan.outputs(of: path.encoder.name).first
      else { continue }
      // What is known of the frames, such as how players turn them, was known before they were encoded.
      let known = plan.known(on: wire)
      let source = EncodedPartSource(paths, track: track, port: wire.from.port, format: known)
      for number in result.wires.indices where result.wires[number].from == wire.from {
        result.wires[number].format = known
      }
      result.nodes[index].node = source
      result.nodes[index].ports = source.portDeclarations
      result.wires.removeAll { $0.to.node == path.encoder.name }
    }
    result.leaveOut(Set(cut.flatMap { $0.between.map(\.name) }))
    let source = cut.first?.source.node ?? ""
    if result.outputs(of: source).isEmpty { result.leaveOut([source]) }
    return try SplitReducers().apply(to: result, in: context)
  }
}
