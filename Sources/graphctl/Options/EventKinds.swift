import ArgumentParser
import GraphKit

/// The kinds of events that `--events` asks for: `state,progress`, or all.
struct EventKinds {
  var kinds: Set<PipelineEvent.Name> = []

  /// The word for all of them.
  static let all = "all"

  /// The kinds' names.
  static let names = PipelineEvent.Name.allCases.map(\.rawValue)

  /// Reads a list of kinds; of none where there is no list.
  init(_ list: String?) throws {
    guard let list else { return }
    if list == Self.all {
      kinds = Set(PipelineEvent.Name.allCases)
      return
    }
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = PipelineEvent.Name(rawValue: String(word)) else {
        throw ValidationError(
          "`\(excerpt(String(word)))` is no kind of event; there are "
            + Self.names.joined(separator: ", ") + ", and all of them without a list")
      }
      kinds.insert(kind)
    }
  }

  /// Joins `--events` and the list after it. What isn't made of letters and commas is none: the
  /// word after `--events` may be the graph.
  static func joining(_ words: [String]) -> [String] {
    var joined: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word != "--" else { return joined + [word] + rest }
      guard word == "--events" else {
        joined.append(word)
        continue
      }
      let list = rest.first.flatMap { isList($0) ? $0 : nil }
      if list != nil { rest.removeFirst() }
      joined.append("--events=\(list ?? all)")
    }
    return joined
  }

  private static func isList(_ word: String) -> Bool {
    !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2C }
  }
}
