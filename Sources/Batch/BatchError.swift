/// One thing that is wrong with a batch.
package struct BatchProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list and line, or the file, that it is about: `night.jsonl:12`.
  package var place: String
  /// What is wrong.
  package var message: String
  /// What to do.
  package var remedy: String

  package init(_ place: String, _ message: String, remedy: String) {
    (self.place, self.message, self.remedy) = (place, message, remedy)
  }

  package var description: String { "\(place): error: \(message); \(remedy)" }
}

/// Why a batch can't be made, or a folder is none: all that is wrong, in the order of the items.
package struct BatchError: Error, CustomStringConvertible {
  /// What programs tell one failure from another by.
  package enum Kind: Sendable { case usage, graph, noInput, cannotCreate, inUse, unavailable }

  package var kind: Kind
  package var problems: [BatchProblem]

  /// The most problems that are shown.
  private static let limit = 20

  package init(_ kind: Kind, _ problems: [BatchProblem]) {
    (self.kind, self.problems) = (kind, problems)
  }

  package init(_ kind: Kind, _ place: String, _ message: String, remedy: String) {
    self.init(kind, [BatchProblem(place, message, remedy: remedy)])
  }

  package var description: String {
    let more = problems.count - Self.limit
    let lines = problems.prefix(Self.limit).map(\.description)
    return (lines + (more > 0 ? ["… and \(more) more"] : [])).joined(separator: "\n")
  }
}
