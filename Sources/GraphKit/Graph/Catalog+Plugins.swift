extension Catalog {
  /// Adds the node types of a plug-in. Throws what ``Plugin/load(_:)`` throws, and where one has a
  /// name that is taken; none is added then.
  public mutating func load(plugin path: String) throws(NodeError) {
    var extended = self
    for type in try Plugin.load(path) {
      if let fault = type.fault {
        throw NodeError(plugin: path, "can't be used: \(fault.message)", fault.remedy)
      }
      if extended.add(type) { continue }
      throw NodeError(
        plugin: path, "has a node type `\(type)`, and that name is taken", "rename the node type")
    }
    self = extended
  }
}
