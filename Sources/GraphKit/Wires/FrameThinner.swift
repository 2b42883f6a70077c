import GraphKitSystem
import Synchronization

/// Leaves frames out of a stream: on all the wires of one output the same ones.
///
/// Wires ask on the threads of their producers, one after another for each frame; any thread changes
/// the share.
final class FrameThinner: Sendable {
  /// Of how many frames one goes on: 1 for all of them, 0 for none.
  private let share = Atomic<Int>(1)
  private let turn = Monitor(Turn())

  private struct Turn {
    /// Frames that were left out since the last one that went on.
    var omitted = 0
    /// The frame that was asked about last, by its time, and the answer.
    var last: (time: UInt64, isKept: Bool)?
  }

  /// Has one frame in so many go on, from the next one on.
  func keepOne(in share: Int) {
    self.share.store(share, ordering: .relaxed)
    turn.withLock { $0.omitted = 0 }
  }

  /// Whether the frame of a time goes on.
  func keeps(_ time: UInt64?) -> Bool {
    let share = share.load(ordering: .relaxed)
    guard share != 1 else { return true }
    guard share > 1 else { return false }
    return turn.withLock { turn in
      if let time, let last = turn.last, last.time == time { return last.isKept }
      let isKept = turn.omitted >= share - 1
      turn.omitted = isKept ? 0 : turn.omitted + 1
      turn.last = time.map { ($0, isKept) }
      return isKept
    }
  }
}

/// What a thinner leaves frames out of.
enum ThinnedStream: Hashable, Sendable {
  /// The video of a live source.
  case source(String)
  /// What leads to these previews and to nothing else.
  case previews(Set<String>)
}
