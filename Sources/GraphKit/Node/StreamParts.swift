/// Nodes that together give what an output gives, in its place: the parts of a stream, each made by a
/// row of nodes, and a node that joins them.
public struct StreamParts: Sendable {
  /// Nodes one after the other: a source, and what is made of its samples.
  public struct Row: Sendable {
    /// The nodes, the source first. Each leads to the next by its first ports.
    public var nodes: [any Node]
    /// The source's output that is meant.
    public var output: String

    /// Some nodes.
    public init(_ nodes: [any Node], output: String) { (self.nodes, self.output) = (nodes, output) }
  }

  /// The parts, in the order of the inputs of the node that joins them.
  public var rows: [Row]
  /// What joins them: its inputs are those of the rows, and its first output is the stream.
  public var joint: any SwiftNode

  /// Parts and what joins them.
  public init(_ rows: [Row], joint: any SwiftNode) { (self.rows, self.joint) = (rows, joint) }
}
