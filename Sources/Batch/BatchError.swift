/// One thing that is wrong with a batch.
package struct BatchProblem: Hashable, Sendable, CustomStringConvertible {
  /// The list and line, or the file, that it is about: `night.jsonl:12`.
  package var place: String
  /// What is wrong.
  package var message: String
  /// What to do.
  package var remedy: String
  /// What is wrong: the graph or the list as far as no file is named.
  package var kind: BatchError.Kind

  package init(
    _ place: String, _ message: String, remedy: String, kind: BatchError.Kind = .graph
  ) {
    (self.place, self.message, self.remedy, self.kind) = (place, message, remedy, kind)
  }

  package var description: String { "\(place): error: \(message); \(remedy)" }
}

/// Why a batch can't be made, or a folder is none: all that is wrong, in the order of the items.
package struct BatchError: Error, CustomStringConvertible {
  /// What programs tell one failure from another by.
  package enum Kind: Hashable, Sendable {
    case usage, graph, noInput, cannotCreate, inUse, unavailable
  }

  package var kind: Kind
  package var problems: [BatchProblem]

  /// The most problems that are shown.
  private static let limit = 20

  package init(_ kind: Kind, _ problems: [BatchProblem]) {
    (self.kind, self.problems) = (kind, problems)
  }

  /// Of what is wrong, the kind that all of it is of.
  package init(_ problems: [BatchProblem]) {
    let kinds = Set(problems.map(\.kind))
    self.init(kinds.count == 1 ? kinds.first ?? .graph : .graph, problems)
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

extension BatchError.Kind {
  /// The kind of a graph's errors for which a run has an exit code.
  init(status: Int) {
    switch status {
    case 66: self = .noInput
    case 73: self = .cannotCreate
    case 75: self = .inUse
    default: self = .graph
    }
  }
}
