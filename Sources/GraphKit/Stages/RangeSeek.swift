import GStreamer
import GraphKitSystem

/// Moves the reader of a file to the range that is read of one of its streams.
///
/// A seek flushes what is on its way and waits for the reader's streaming thread. So another thread
/// makes it, one after the other with the changes of the pipeline's state, while the streaming thread
/// waits in ``move(to:)`` until the flush frees it.
final class RangeSeek: Sendable {
  /// What became of a seek.
  enum Outcome {
    /// What is on its way is flushed; samples from another place follow.
    case isMoving
    /// The reader goes on where it is.
    case isRefused
    /// The stream was stopped meanwhile.
    case isStopped
  }

  private enum Phase { case idle, asked, flushing, refused, stopped }

  private struct State {
    var pad: Pad?
    var phase = Phase.idle
    /// How many seeks there were.
    var count = 0
  }

  private let state = Monitor(State())
  private let thread: StateThread
  private let onLoss: @Sendable () -> Void

  /// Seeks on a thread; `onLoss` is called where a reader has flushed and then couldn't go on.
  init(on thread: StateThread, onLoss: @escaping @Sendable () -> Void) {
    (self.thread, self.onLoss) = (thread, onLoss)
  }

  /// The reader's output for the stream.
  func take(_ pad: Pad) { state.withLock { $0.pad = pad } }

  /// Has the reader go on at a time of the stream's buffers or before it, or at the beginning of the
  /// file for `nil`. On the streaming thread, which waits here.
  func move(to time: UInt64?) -> Outcome {
    let asked = state.withLock { state -> (pad: Pad?, number: Int)? in
      // The thread that would seek waits for this one then.
      guard state.phase != .stopped else { return nil }
      state.count += 1
      state.phase = .asked
      return (state.pad, state.count)
    }
    guard let (pad, number) = asked else { return .isStopped }
    guard let pad, let target = time.map({ pad.streamTime(of: $0) }) ?? 0 else {
      state.withLock { if $0.phase == .asked { $0.phase = .refused } }
      return .isRefused
    }
    thread.perform { [self] in seek(pad, to: target, number) }
    return state.withLock { current in
      while current.phase == .asked { state.wait(&current) }
      switch current.phase {
      case .stopped: return .isStopped
      case .refused: return .isRefused
      default: return .isMoving
      }
    }
  }

  private func seek(_ pad: Pad, to target: UInt64, _ number: Int) {
    guard state.withLock({ $0.phase == .asked }) else { return }
    let isMoved = pad.seek(to: target)
    let isLost = state.withLock { state in
      // Without a flush samples go on as they did.
      guard state.count == number, state.phase == .asked else { return !isMoved }
      state.phase = .refused
      return false
    }
    state.wakeAll()
    if isLost { onLoss() }
  }

  /// A flush begins; whether it is a seek's, of which what follows needn't know.
  func takesFlushStart() -> Bool {
    let isOwn = state.withLock { state in
      guard state.phase == .asked else { return false }
      state.phase = .flushing
      return true
    }
    state.wakeAll()
    return isOwn
  }

  /// The flush ends; whether it is a seek's.
  func takesFlushStop() -> Bool {
    state.withLock { state in
      guard state.phase == .flushing else { return false }
      state.phase = .idle
      return true
    }
  }

  /// The stream starts or stops: after a stop nothing waits here.
  func setActive(_ isActive: Bool) {
    state.withLock { $0.phase = isActive ? .idle : .stopped }
    state.wakeAll()
  }
}
