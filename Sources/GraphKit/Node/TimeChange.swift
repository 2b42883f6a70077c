/// At which times a node's samples leave, where that follows from those at which they come: a part of
/// them, from zero on, at another speed.
public struct TimeChange: Hashable, Sendable {
  /// The part, in the time of what comes; its length may be infinite.
  public var range: MediaTimeRange
  /// How many seconds of what comes one second of what leaves has.
  public var speed: Double

  /// A part at a speed; by default all, as it comes.
  public init(
    range: MediaTimeRange = MediaTimeRange(start: .zero, duration: .positiveInfinity),
    speed: Double = 1
  ) {
    (self.range, self.speed) = (range, speed)
  }
}

extension NodeType {
  /// Whether the times of what leaves a node of the type are those of what comes, or follow from them.
  func saysTimes(of node: any Node) -> Bool {
    let traits = node.traits
    return [.decoder, .converter, .effect, .encoder].contains(role)
      && (!traits.movesTimes || traits.timeChange != nil)
  }
}
