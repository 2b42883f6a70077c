/// Has the parts of a graph's audio put together that ``CutReducers`` has reduced: in place of each
/// reducer is a source of what it makes of all parts, and what led to it is left out.
struct MergeParts: PlanPass {
  let name = "merge parts"
  /// The files of the parts, in the order of the audio.
  let paths: [String]

  init(_ paths: [String]) { self.paths = paths }

  func apply(to plan: Plan, in context: PlanContext) throws(PlanError) -> Plan {
    guard plan.videoEncoders.isEmpty else {
      return try MergeEncodedParts(paths).apply(to: plan, in: context)
    }
    let reducers = try AudioCut(plan).paths.map(\.reducer)
    var result = plan
    result.leaveOut(plan.nodes(before: reducers.map(\.name)))
    for index in result.nodes.indices {
      let name = result.nodes[index].name
      guard reducers.contains(where: { $0.name == name }),
        let reducer = result.nodes[index].node.work.associativeReducer
      else { continue }
      let source = reducer.source(ofParts: paths, name: name)
      result.nodes[index].node = source
      result.nodes[index].ports = source.portDeclarations
    }
    return result
  }
}

extension Plan {
  /// The nodes that lead to some nodes, from however far.
  func nodes(before names: [String]) -> Set<String> {
    var (found, next): (Set<String>, [String]) = ([], names)
    while let name = next.popLast() {
      for wire in inputs(of: name) where found.insert(wire.from.node).inserted {
        next.append(wire.from.node)
      }
    }
    return found
  }
}
