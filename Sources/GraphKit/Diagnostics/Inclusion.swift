/// A node that is a graph of another file, in which something is wrong.
public struct Inclusion: Hashable, Sendable, Encodable {
  /// The node's name.
  public var node: String
  /// Where the node stands, and in which file; `nil` for the file that is checked.
  public var place: SourcePlace?
  /// The file that the node is.
  public var file: String?
}

extension [String: Inclusion] {
  /// The nodes that a diagnostic is within, the innermost first.
  func chain(of diagnostic: Diagnostic) -> [Inclusion] {
    guard let file = diagnostic.place?.file, let node = diagnostic.node else { return [] }
    let parts = node.split(separator: "/")
    let around = parts.indices.reversed().compactMap { last in
      self[parts[...last].joined(separator: "/")]
    }
    return Array(around.drop { $0.file != file })
  }
}
