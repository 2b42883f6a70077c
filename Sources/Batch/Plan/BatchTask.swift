import JSON

/// Items that one worker of an array engine does, one after the other.
package struct BatchTask: Hashable, Sendable {
  /// The number, from 0.
  package var number: Int
  /// How long it may take, in seconds.
  package var cost: Double
  /// The items' names, the longest first.
  package var items: [String]

  /// The most tasks of a batch: array engines take a thousand by default.
  package static let limit = 1_000

  /// Bundles items into tasks of about so many seconds, and no longer than the longest item where that
  /// takes more. The longest task comes first, so that no long one is left at the end. Pieces of long
  /// files are tasks of their own as far as there may be so many; what puts them together is in none.
  package static func bundle(_ all: [BatchItem], seconds: Double) -> [BatchTask] {
    let items = all.filter { $0.pieces.isEmpty }
    let pieces = items.count { $0.piece != nil }
    let ordered = items.sorted { ($1.cost, $0.id) < ($0.cost, $1.id) }
    let total = ordered.reduce(0) { $0 + $1.cost }
    let byLength = Int(min(Double(limit), (total / max(seconds, 1e-3)).rounded(.up)))
    let wanted = min(limit, max(byLength, pieces))
    var tasks = (0..<max(min(wanted, items.count), items.isEmpty ? 0 : 1)).map {
      BatchTask(number: $0, cost: 0, items: [])
    }
    for item in ordered {
      guard let index = tasks.indices.min(by: { tasks[$0].cost < tasks[$1].cost }) else { break }
      tasks[index].items.append(item.id)
      tasks[index].cost += item.cost
    }
    tasks.sort { ($1.cost, $0.number) < ($0.cost, $1.number) }
    for index in tasks.indices { tasks[index].number = index }
    return tasks
  }

  /// The task as a line of JSON.
  package var line: String {
    JSONTree(members: [
      ("task", JSONTree(number: Double(number))), ("cost", JSONTree(number: cost)),
      ("items", JSONTree(.array(items.map { JSONTree(.string($0)) }))),
    ]).jsonLine
  }

  /// Reads a line; `nil` where it is no task.
  package init?(line: [UInt8]) {
    guard let fields = JSONFields(ofBatch: line), let number = fields.whole("task"),
      let cost = fields.number("cost")
    else { return nil }
    self.init(number: number, cost: cost, items: fields.list("items"))
  }

  private init(number: Int, cost: Double, items: [String]) {
    (self.number, self.cost, self.items) = (number, cost, items)
  }
}
