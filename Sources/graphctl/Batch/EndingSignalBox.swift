import GraphKitSystem
import Synchronization

/// The signal that asked a batch to end last.
final class EndingSignalBox: Sendable {
  private let signal = Mutex<EndingSignal?>(nil)

  func note(_ signal: EndingSignal) { self.signal.withLock { $0 = signal } }

  /// Ends the process as that signal does.
  func endProcess() { signal.withLock { $0 }?.endProcess() }
}
