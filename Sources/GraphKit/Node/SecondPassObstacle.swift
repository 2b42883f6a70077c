/// Why what a node gives can't be had a second time.
public enum SecondPassObstacle: Hashable, Sendable {
  /// It comes while it happens.
  case live
  /// It comes through a pipe.
  case readOnce
  /// A program appends it.
  case program

  /// What keeps a node's samples from coming twice; `nil` where nothing does.
  init?(_ node: any Node) {
    if node.traits.isLive {
      self = .live
    } else if node.traits.isReadOnce {
      self = .readOnce
    } else if case .entry = node.work {
      self = .program
    } else {
      return nil
    }
  }

  var message: String {
    switch self {
    case .live: "is live"
    case .readOnce: "reads a pipe"
    case .program: "gives what a program appends"
    }
  }
}
