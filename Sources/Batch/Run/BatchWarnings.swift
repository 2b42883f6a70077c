import GraphKit

/// What the runs of a batch's items warned of: of files that are cut off or damaged, say. The first
/// warnings are kept, and the others counted, so that a batch of a million damaged files fits in memory.
package struct BatchWarnings: Sendable {
  /// A file, and one thing that was said of it.
  package struct Warning: Hashable, Sendable {
    package var id: String
    package var input: String
    package var message: String

    package init(id: String, input: String, message: String) {
      (self.id, self.input, self.message) = (id, input, message)
    }

    /// The warning in a line.
    package var text: String { "\(input): warning: \(message)" }
  }

  /// The most that are kept.
  package static let limit = 1_000

  /// The first, in the order of the items. What was said of several pieces of a file is there once.
  package private(set) var first: [Warning] = []
  /// How many there are.
  package private(set) var total = 0
  /// How many files they are about.
  package private(set) var count = 0
  /// How many weren't kept.
  package var leftOut: Int { total - first.count }
  /// Those of the file that was last: its pieces come one after the other.
  private var ofLast: Set<Warning> = []

  package init() {}

  /// Reads the records of some items.
  package init(_ items: [BatchItem], _ records: BatchRecords) {
    for item in items {
      for warning in records.done(item.id)?.warnings ?? [] {
        let node = warning.node.map { "\($0): " } ?? ""
        take(
          Warning(
            id: item.piece?.item ?? item.id, input: item.input, message: node + warning.message))
      }
    }
  }

  /// Takes one more; those of a file come together.
  package mutating func take(_ warning: Warning) {
    if ofLast.first?.id != warning.id {
      ofLast = []
      count += 1
    }
    guard ofLast.insert(warning).inserted else { return }
    total += 1
    if first.count < Self.limit { first.append(warning) }
  }
}
