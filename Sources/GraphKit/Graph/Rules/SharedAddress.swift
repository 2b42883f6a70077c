/// No two nodes serve other programs at the same address of this machine.
enum SharedAddress: GraphRule {
  static func check(_ draft: GraphDraft) -> [Diagnostic] {
    var known: [(address: ServedAddress, node: String)] = []
    var problems: [Diagnostic] = []
    for node in draft.nodes where node.isSound {
      for address in node.node?.servedAddresses ?? [] {
        if let other = known.first(where: { $0.address.meets(address) }) {
          problems.append(
            Diagnostic(
              .fit(.sameAddress(port: address.port, nodes: [other.node, node.name.value])),
              at: node.place(of: address.key), node: node.name.value, key: address.key))
        }
        known.append((address, node.name.value))
      }
    }
    return problems
  }
}
