import GStreamer
import System

/// A source whose samples can be had in pieces, by several readers at once.
public protocol PiecewiseSource: SourceNode {
  /// The number of frames.
  var frameCount: Int { get }
  /// A source of a share of the frames before `end`, with the times that they have in the whole.
  func piece(_ share: PieceShare, until end: Int) -> Self
}
