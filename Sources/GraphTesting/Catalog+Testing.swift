import GraphKit

extension Catalog {
  /// The node types of this module: sources whose every sample is known, and the two ends of an
  /// ``ElementHarness``.
  public static let testing = Catalog(testingTypes)

  /// This catalog with those types as well.
  public func withTesting() -> Catalog {
    var catalog = self
    for type in Self.testingTypes { _ = catalog.add(type) }
    return catalog
  }

  private static let testingTypes = [
    NodeType(SignalSource.self), NodeType(CounterFrames.self), NodeType(SampleEntry.self),
    NodeType(SampleExit.self),
  ]
}
