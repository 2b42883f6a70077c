import Containers
import GraphKit

/// The languages of a sink's tracks, by their ports, as a graph has them.
struct TrackLanguages {
  private let values: [String: JSONValue]

  init(_ values: [String: JSONValue]) { self.values = values }

  /// Those that are tags of BCP 47.
  var tags: [String: LanguageTag] {
    values.compactMapValues { value in
      if case .string(let text) = value { LanguageTag(text) } else { nil }
    }
  }

  /// What is wrong with them; `nil` where nothing is.
  var problem: NodeError? {
    guard let port = values.keys.sorted().first(where: { tags[$0] == nil }) else { return nil }
    return NodeError(
      "what `languages` says of \(port) is no language",
      remedy: "write a tag of BCP 47: \"de\", \"pt-BR\"", key: "languages")
  }
}
