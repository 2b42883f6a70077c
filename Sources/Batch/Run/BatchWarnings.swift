import GraphKit

/// What the runs of a batch's items warned of: of files that are cut off or damaged, say.
package struct BatchWarnings: Sendable {
  /// A file, and one thing that was said of it.
  package struct Warning: Hashable, Sendable {
    package var id: String
    package var input: String
    package var message: String

    /// The warning in a line.
    package var text: String { "\(input): warning: \(message)" }
  }

  /// In the order of the items. What was said of several pieces of a file is there once.
  package private(set) var all: [Warning] = []
  /// How many files they are about.
  package var count: Int { Set(all.map(\.id)).count }

  package init() {}

  /// Reads the records of some items.
  package init(_ items: [BatchItem], _ records: BatchRecords) {
    var known: Set<Warning> = []
    for item in items {
      for warning in records.done(item.id)?.warnings ?? [] {
        let node = warning.node.map { "\($0): " } ?? ""
        let found = Warning(
          id: item.piece?.item ?? item.id, input: item.input, message: node + warning.message)
        if known.insert(found).inserted { all.append(found) }
      }
    }
  }
}
