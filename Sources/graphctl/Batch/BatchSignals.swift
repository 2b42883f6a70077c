import Batch
import GraphKitSystem
import Synchronization

/// What INT, TERM and HUP do to a batch: they end it at once while it is planned, and in order while
/// it runs.
enum BatchSignals {
  private static let last = EndingSignalBox()
  private static let isRunning = Atomic(false)
  private static let interruption: BatchInterruption = {
    let interruption = BatchInterruption()
    Signals.listen { signal in
      guard isRunning.load(ordering: .sequentiallyConsistent) else { signal.endProcess() }
      last.note(signal)
      interruption.hear()
    }
    return interruption
  }()

  /// Listens from now on, and ends the process with the first signal.
  static func listen() { _ = interruption }

  /// From now on signals interrupt what runs.
  static func run() -> BatchInterruption {
    isRunning.store(true, ordering: .sequentiallyConsistent)
    return interruption
  }

  /// Ends the process as the last signal does, where what runs was to be given up, too.
  static func endIfUrgent() {
    if interruption.isUrgent { last.endProcess() }
  }
}
