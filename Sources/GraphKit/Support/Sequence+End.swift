extension Sequence {
  /// Calls `body` with each element, also after it has thrown; what it threw first is thrown at the end.
  func forEachToTheEnd(_ body: (Element) throws -> Void) throws {
    var failure: (any Error)?
    for element in self {
      do { try body(element) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
