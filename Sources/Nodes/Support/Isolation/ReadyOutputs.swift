import GraphKit
import GraphKitSystem

/// The order in which a source with several outputs sends on them, from one thread.
final class ReadyOutputs: Sendable {
  private struct State {
    /// The outputs that will call.
    var expected: Set<Int> = []
    /// Whether one has become ready since the last wait.
    var hasCome = false
  }

  private let state = Monitor(State())

  /// The place in a list of outputs of the one to send on next, of which each has a sample, the earliest
  /// first: that, as what follows may join them. Where there is no room for it, another goes first: what
  /// joins both may wait for it, as where subtitles are far apart, or a track begins late. `nil` where there
  /// is room for none, after a wait.
  func choose(from numbers: [Int], of outputs: NodeOutputs) -> Int? {
    // Sending waits by itself.
    guard numbers.count > 1 else { return numbers.indices.first }
    if let place = numbers.firstIndex(where: { outputs.isReady($0) }) { return place }
    wait(for: numbers, of: outputs)
    return nil
  }

  /// Waits until one of some outputs takes a sample, a tenth of a second at most: the run may be asked to
  /// end meanwhile.
  private func wait(for numbers: [Int], of outputs: NodeOutputs) {
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
