import GraphKit

extension Catalog {
  /// The node types that come with GraphKit.
  public static let builtIn = Catalog([])
}
