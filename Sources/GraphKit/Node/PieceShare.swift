/// Which frames of a stream one of several reducers has: every `count`th run of `length`.
public struct PieceShare: Hashable, Sendable {
  /// Frames of a run.
  public var length: Int
  /// Which of the runs is the first one here.
  public var index: Int
  /// How many share the stream.
  public var count: Int
  /// The runs of the stream that are reduced at all; none of the others is in any share.
  public var runs: Range<Int>

  /// Every `count`th run, from the `index`th on, as far as it is one of `runs`.
  public init(length: Int, index: Int, count: Int, runs: Range<Int> = 0..<Int.max) {
    (self.length, self.index, self.count, self.runs) = (length, index, count, runs)
  }

  /// All of a stream.
  public static let whole = PieceShare(length: .max, index: 0, count: 1)

  /// The first frames that are here, from a frame on and before `end`, as far as their run goes;
  /// `nil` where there are none.
  public func run(from frame: Int, to end: Int) -> Range<Int>? {
    var start = runs.lowerBound > 0 ? max(frame, runs.lowerBound * length) : frame
    while start < end {
      let run = start / length
      guard run < runs.upperBound else { return nil }
      let stop = min(end, (run + 1) * length)
      if run % count == index { return start..<stop }
      start = stop
    }
    return nil
  }
}

/// A source whose samples can be had in pieces, by several readers at once.
public protocol PiecewiseSource: SourceNode {
  /// The number of frames.
  var frameCount: Int { get }
  /// A source of a share of the frames before `end`, with the times that they have in the whole.
  func piece(_ share: PieceShare, until end: Int) -> Self
}
