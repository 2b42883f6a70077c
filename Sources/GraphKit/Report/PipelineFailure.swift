import GStreamer
import Synchronization
import System

/// What made a run fail: the node, what is wrong, and what to do.
public struct PipelineFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The node, where one is to blame.
  public var node: String?
  /// What is wrong.
  public var message: String
  /// What to do.
  public var remedy: String
  /// What GStreamer said, for those who know its sources.
  public var detail: String?
  /// Whether another failure probably stands behind this one.
  var isEcho = false
  /// Whether nothing moved for the stall timeout.
  package var isStall = false
  /// Whether a file that was to be written can't be made.
  package var isOutput = false

  private enum CodingKeys: String, CodingKey { case node, message, remedy, detail }

  public var description: String {
    (node.map { "\($0): " } ?? "") + "\(message); \(remedy)"
  }
}
