import Synchronization

/// Changes of live parameters on their way to a node's streaming thread.
final class LiveChanges: Sendable {
  private struct Change: Sendable {
    var name: String
    var value: JSONValue
    var time: MediaTime?

    func isDue(at now: MediaTime?) -> Bool {
      guard let time else { return true }
      guard let now, let there = now.clock, let wanted = time.clock else { return false }
      return there >= wanted
    }
  }

  private let type: NodeType
  private let waiting = Mutex<[Change]>([])
  private let isAnyWaiting = Atomic<Bool>(false)

  init(_ type: NodeType) { self.type = type }

  /// Whether a look at the changes is worth a lock.
  var areWaiting: Bool { isAnyWaiting.load(ordering: .relaxed) }

  /// Changes a parameter with the first sample at or after `time`; the next one where it is `nil`.
  func add(_ name: String, _ value: JSONValue, at time: MediaTime?) {
    waiting.withLock { $0.append(Change(name: name, value: value, time: time)) }
    isAnyWaiting.store(true, ordering: .relaxed)
  }

  func apply(upTo time: MediaTime?, _ body: (NodeType, String, JSONValue) -> Void) {
    let due = waiting.withLock { changes in
      let due = changes.filter { $0.isDue(at: time) }
      changes.removeAll { $0.isDue(at: time) }
      isAnyWaiting.store(!changes.isEmpty, ordering: .relaxed)
      return due
    }
    for change in due { body(type, change.name, change.value) }
  }
}
