import GraphKit
import GraphKitSystem

/// A wait for outputs that have no room at the moment.
final class ReadyOutputs: Sendable {
  private struct State {
    /// The outputs that will call.
    var expected: Set<Int> = []
    /// Whether one has become ready since the last wait.
    var hasCome = false
  }

  private let state = Monitor(State())

  /// Waits until one of some outputs takes a sample, a tenth of a second at most: the run may be asked to
  /// end meanwhile.
  func wait(for numbers: [Int], of outputs: NodeOutputs) {
    for number in numbers where state.withLock({ $0.expected.insert(number).inserted }) {
      outputs.whenReady(number) { [state] in
        state.withLock { state in
          state.expected.remove(number)
          state.hasCome = true
        }
        state.wakeAll()
      }
    }
    state.withLock { current in
      if !current.hasCome { state.wait(&current, nanoseconds: 100_000_000) }
      current.hasCome = false
    }
  }
}
