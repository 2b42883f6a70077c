extension Pipeline {
  /// The parameters that may change while the graph runs, by the order of their names.
  public var liveParameters: [LiveParameter] {
    storage.lowered.changes.sorted { $0.key < $1.key }.flatMap { name, changes in
      let node = changes.present
      return changes.type.parameters.filter(\.isLive).map { info in
        LiveParameter(
          path: "\(name).\(info.name)", kind: info.kind, unit: info.unit, help: info.help,
          value: info.read(node))
      }
    }
  }

  /// The present value of any parameter, live or not, by `node.parameter`; `nil` where the node
  /// decides.
  public func value(of path: String) throws(NodeError) -> JSONValue? {
    let (name, info) = try parameter(path)
    return (storage.lowered.changes[name]?.present ?? storage.plan[name]?.node).flatMap {
      info.read($0)
    }
  }
}
