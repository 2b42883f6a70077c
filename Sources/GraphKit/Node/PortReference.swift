/// One port of one node: `sink.audio`.
public struct PortReference: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The node's name.
  public var node: String
  /// The port's name.
  public var port: String

  /// A port of a node.
  public init(_ node: String, _ port: String) {
    self.node = node
    self.port = port
  }

  /// The port as wires name it.
  public var description: String { "\(node).\(port)" }
}
