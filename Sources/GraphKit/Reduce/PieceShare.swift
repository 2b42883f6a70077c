/// Which frames of a stream somebody has who shares it: every `count`th run of `length`.
public struct PieceShare: Hashable, Sendable {
  /// Frames of a run.
  public var length: Int
  /// Which of the runs is the first one here.
  public var index: Int
  /// How many share the stream.
  public var count: Int

  /// Every `count`th run, from the `index`th on.
  public init(length: Int, index: Int, count: Int) {
    (self.length, self.index, self.count) = (length, index, count)
  }

  /// All of a stream.
  public static let whole = PieceShare(length: .max, index: 0, count: 1)

  /// The longest stretch from a frame on that is here, or is not, up to `end`.
  public func stretch(from frame: Int, to end: Int) -> (isHere: Bool, end: Int) {
    let run = frame / length
    let (next, overflow) = (run + 1).multipliedReportingOverflow(by: length)
    return (run % count == index, overflow ? end : min(end, next))
  }
}
