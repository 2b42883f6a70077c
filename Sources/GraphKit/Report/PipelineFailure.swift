import GStreamer
import Synchronization
import GraphKitSystem

/// What made a run fail: the node, what is wrong, and what to do.
public struct PipelineFailure: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The node, where one is to blame.
  public var node: String?
  /// What is wrong.
  public var message: String
  /// What to do.
  public var remedy: String
  /// What GStreamer said, for those who know its sources; of a run in which nothing moved, a line for
  /// each wire: how full it is, and what waits for it.
  public var detail: String?
  /// What kind of failure it is, where programs may want to tell it from others.
  public var kind: Kind?
  /// Whether another failure probably stands behind this one.
  var isEcho = false
  /// Whether nothing moved for the stall timeout.
  package var isStall = false
  /// Whether a file that was to be written can't be made.
  package var isOutput = false

  /// What programs may want to tell from other failures.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The disk was full, or a file as large as it may be. Files that are finished early are whole;
    /// those that are written at the end alone aren't there.
    case outOfRoom
    /// A server or a sender didn't give in time what a node reads from it. Another run may work.
    case unreachable
  }

  private enum CodingKeys: String, CodingKey { case node, message, remedy, detail, kind }

  /// All in words; of GStreamer's own, only what is said of each wire where nothing moved.
  public var description: String {
    let wires = isStall ? detail.map { "\n\($0)" } : nil
    return (node.map { "\($0): " } ?? "") + "\(message); \(remedy)" + (wires ?? "")
  }
}

extension PipelineFailure {
  /// A failure of a node.
  init(node: String?, _ error: NodeError) {
    self.init(node: node, message: error.message, remedy: error.remedy)
    if error.isTemporary { kind = .unreachable }
    if error.isOutOfRoom { kind = .outOfRoom }
  }

  /// A failure of whatever kind in a node; the node says what to do where the error doesn't. One that has
  /// its node already keeps it.
  init(node: String?, _ error: any Error, remedy: String) {
    if let known = error as? PipelineFailure {
      self = known
      return
    }
    self.init(node: node, error as? NodeError ?? NodeError("\(error)", remedy: remedy))
  }
}

extension PipelineFailure {
  /// What a node gives was refused further on, and no element has reported where.
  static func refusedOnTheWay(of node: String?, detail: String) -> PipelineFailure {
    PipelineFailure(
      node: node,
      message: "what it gives wasn't taken: an element after it doesn't take the format, or "
        + "decodes it to one that GStreamer has no name for",
      remedy: "with GST_DEBUG=2 the element names itself; a file can be converted first, for "
        + "example with ffmpeg -pix_fmt yuv420p", detail: detail)
  }
}
