import GStreamer
import GraphKit
import Synchronization
import GraphKitSystem

/// What the signals that ask a process to end do to a run.
///
/// The first one finishes the pipeline; a second one, or one that comes before there is a running
/// pipeline, ends the process at once.
final class Interruption: Sendable {
  private struct State {
    var pipeline: Pipeline?
    var first: EndingSignal?
  }
  private let state = Mutex(State())

  /// One that hears the signals of the process from now on.
  static func listening() -> Interruption {
    let interruption = Interruption()
    Signals.listen { interruption.hear($0) }
    return interruption
  }

  /// From now on the first signal finishes `pipeline`, which is about to start.
  func attach(_ pipeline: Pipeline) { state.withLock { $0.pipeline = pipeline } }

  /// Takes a signal; called on the thread that waits for them.
  func hear(_ signal: EndingSignal) {
    let pipeline = state.withLock { state -> Pipeline? in
      guard state.first == nil else { return nil }
      state.first = signal
      return state.pipeline
    }
    guard let pipeline else { signal.endProcess() }
    pipeline.finish()
  }

  /// Whether a signal has ended the run.
  var hasCome: Bool { state.withLock { $0.first != nil } }

  /// Ends the process as the signal that has come does.
  func endProcess() { state.withLock { $0.first }?.endProcess() }
}
