/// Something takes what a node makes: of several outputs one at least is wired.
enum UnwiredOutput: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    let used = Set(draft.wires.filter { $0.output != nil }.map(\.from.node))
    return draft.judged.compactMap { node in
      let outputs = node.ports(.output)
      guard outputs.contains(where: \.isRequired), !used.contains(node.name.value) else {
        return nil
      }
      let problem = FitProblem.unwiredOutputs(
        node: node.name.value, ports: outputs.map(\.name))
      return Diagnostic(
        .fit(problem), at: node.name.place, node: node.name.value,
        port: outputs.count == 1 ? outputs[0].name : nil)
    }
  }
}
