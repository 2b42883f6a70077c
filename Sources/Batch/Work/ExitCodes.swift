import GraphKit

/// The exit codes that a run of a graph alone would have, as the program words them.
package struct ExitCodes: Sendable {
  package var ofErrors: @Sendable (GraphErrors, GraphDocument, Catalog) -> Int32
  package var ofReport: @Sendable (Report) -> Int32

  package init(
    ofErrors: @escaping @Sendable (GraphErrors, GraphDocument, Catalog) -> Int32,
    ofReport: @escaping @Sendable (Report) -> Int32
  ) {
    (self.ofErrors, self.ofReport) = (ofErrors, ofReport)
  }
}
