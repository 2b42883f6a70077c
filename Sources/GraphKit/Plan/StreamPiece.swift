/// One of the pieces in which a graph's work is done by several processes or machines.
package enum StreamPiece: Hashable, Sendable {
  /// Runs of audio that is reduced.
  case audio(AudioPiece)
  /// Frames of video that is encoded.
  case video(VideoPiece)

  /// The piece, counted from 0.
  package var number: Int {
    switch self {
    case .audio(let piece): piece.number
    case .video(let piece): piece.number
    }
  }

  /// How many there are.
  package var count: Int {
    switch self {
    case .audio(let piece): piece.count
    case .video(let piece): piece.count
    }
  }
}

/// One of the pieces into which a graph's video is cut: the frames that are presented from one time to
/// another. It is written down where it is planned, so that all pieces are cut at the same times.
package struct VideoPiece: Hashable, Sendable {
  /// The piece, counted from 0, and how many there are.
  package var number: Int
  package var count: Int
  /// When it begins, in nanoseconds of a run of the whole; the first piece has all that is before, too.
  package var start: Int64
  /// When the next one begins; `nil` for the last.
  package var end: Int64?

  package init(number: Int, count: Int, start: Int64, end: Int64?) {
    (self.number, self.count, self.start, self.end) = (number, count, start, end)
  }

  /// The times of its frames.
  var frames: Range<Int64> { (number == 0 ? .min : start)..<(end ?? .max) }
}
