import GraphKit

extension NodeError {
  /// Why a file or a stream isn't completed of which no sample came: it would be one that no player opens.
  static func isEmpty(_ output: String, no samples: String) -> NodeError {
    NodeError(
      "the \(output) holds nothing: no \(samples) came for it",
      remedy: "look at what the sources give, or record for longer")
  }
}
