/// A sink whose file wants a last touch after everything is written.
public protocol FinishingNode: Node {
  /// The file that the node writes.
  var outputPath: String { get }

  /// Completes the file: called once, after every input has ended and the elements have closed it,
  /// before the run counts as completed. Not on a streaming thread; it may take as long as a copy
  /// of the file. A file that it fails on is left as it was.
  func finishFile() throws(NodeError)

  /// Completes the file, as ``finishFile()`` does, knowing more: of each wired input in order how
  /// much of what was copied is before the beginning, and the orientation of its video. By default
  /// calls the other.
  func finishFile(tracks: [MovieFinisher.Track]) throws(NodeError)
}

extension FinishingNode {
  public func finishFile(tracks: [MovieFinisher.Track]) throws(NodeError) { try finishFile() }
}

/// A sink that takes so much and no more.
public protocol LimitedNode: Node {
  /// The length of the session, from its first video frame on where it has video; `nil` for no
  /// limit. What comes later isn't taken, and its source gets end of stream.
  var maximumDuration: MediaTime? { get }
}
