import GraphKitSystem

/// Leaves frames out of a stream: on all the wires of one output the same ones.
///
/// Wires ask on the threads of their producers, one after another for each frame; any thread changes
/// the share. A frame without a time goes on wherever any do, since it can't be known as the one that
/// another wire has asked about.
final class FrameThinner: Sendable {
  private let turn = Monitor(Turn())

  private struct Turn {
    /// Of how many frames one goes on: 1 for all of them, 0 for none.
    var share = 1
    /// Frames that were left out since the last one that went on.
    var omitted = 0
    /// The frame that was asked about last, by its time, and the answer.
    var last: (time: UInt64, isKept: Bool)?
  }

  /// Has one frame in so many go on, from the next one on.
  func keepOne(in share: Int) {
    turn.withLock { turn in
      turn.share = share
      turn.omitted = 0
    }
  }

  /// Whether the frame of a time goes on.
  func keeps(_ time: UInt64?) -> Bool {
    turn.withLock { turn in
      guard let time else { return turn.share > 0 }
      if let last = turn.last, last.time == time { return last.isKept }
      let isKept = turn.share > 0 && turn.omitted >= turn.share - 1
      turn.omitted = isKept ? 0 : turn.omitted + 1
      turn.last = (time, isKept)
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
