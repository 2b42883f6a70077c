import Synchronization

/// Which node of a stage its thread is in: what a run says of a thread that doesn't come back. Written by
/// that thread, read by any.
final class StagePlace: Sendable {
  private let nodes: [String]
  private let current = Atomic<Int>(-1)

  /// The place in a stage of some nodes.
  init(_ nodes: [String]) { self.nodes = nodes }

  /// The node that the thread is in; `nil` where that is none, or the source that the stage begins with.
  var node: String? {
    let index = current.load(ordering: .relaxed)
    return nodes.indices.contains(index) ? nodes[index] : nil
  }

  func contains(_ node: String) -> Bool { nodes.contains(node) }

  /// The node's number, by which it is entered.
  func number(of node: String) -> Int { nodes.firstIndex(of: node) ?? -1 }

  /// Calls a node, which may call the next one.
  func calling<Result>(_ number: Int, _ body: () throws -> Result) rethrows -> Result {
    let caller = current.load(ordering: .relaxed)
    current.store(number, ordering: .relaxed)
    defer { current.store(caller, ordering: .relaxed) }
    return try body()
  }
}
