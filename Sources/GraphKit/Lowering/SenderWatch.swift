import GStreamer
import GraphKitSystem
import Synchronization

/// What a run knows of an element that sends over a network: it warns of what that leaves out.
struct SenderWatch {
  let node: String
  let context: RunContext

  /// How long the end waits for a receiver where the run is asked to end, and where its sources have
  /// ended, in milliseconds: less than until a thread is given up that doesn't close.
  private static let (askedWait, longestWait) = (1_500, 4_000)

  func attach(to element: Element, _ spec: ElementSpec) {
    if let capacity = spec.leakyCapacity { warnOfLosses(of: element, capacity) }
    if spec.awaitsReceiver { awaitReceiver(of: element) }
  }

  /// Warns when an element that holds so many bytes begins to leave some out.
  private func warnOfLosses(of element: Element, _ capacity: Int) {
    let held = Monitor((bytes: 0, hasWarned: false))
    let (log, name) = (context.log, node)
    element.pad("src")?.onByteCounts { count in held.withLock { $0.bytes -= count } }
    element.pad("sink")?.onByteCounts { count in
      let begins = held.withLock { state in
        state.bytes += count
        // The newest may go in while the one before it is on its way out.
        defer { state.hasWarned = state.hasWarned || state.bytes > capacity + count }
        return !state.hasWarned && state.bytes > capacity + count
      }
      guard begins else { return }
      log.send(
        .warning(
          node: name,
          message: "what it sends to takes less than comes: of what waits, the oldest is left out"))
    }
  }

  /// Has the end wait for what receivers hold back, and warns where it can't wait for all of it.
  private func awaitReceiver(of element: Element) {
    let (log, name) = (context.log, node)
    element.outlastReceiver { [weak context] waited in
      // Where a movie beside it is finished, the run may be over already.
      guard let context, !context.gate.isCancelled else { return false }
      let isAsked = context.isFinishing.load(ordering: .relaxed)
      return waited < (isAsked ? Self.askedWait : Self.longestWait)
    } cut: { left in
      let message = "the run ends before its receiver has shown all: up to \(left) ms may be lost"
      log.send(.warning(node: name, message: message))
    }
  }
}
