/// Each node is in a wire.
enum UnwiredNode: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let wired = Set(draft.rows.joined().map(\.node))
    return draft.unexcused.filter { !wired.contains(draft.nodes[$0].name.value) }.map { index in
      let name = draft.nodes[index].name
      return Diagnostic(.fit(.unwiredNode(name.value)), at: name.place, node: name.value)
    }
  }
}

extension GraphDraft {
  /// The nodes whose wires can be judged.
  var unexcused: [Int] {
    excusesAll ? [] : nodes.indices.filter { !excused.contains($0) }
  }

  /// The nodes whose ports can be judged: valid ones that are in a wire.
  var judged: [DraftNode] {
    let wired = Set(rows.joined().map(\.node))
    return unexcused.map { nodes[$0] }.filter { $0.isSound && wired.contains($0.name.value) }
  }
}
