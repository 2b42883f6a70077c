/// A sink whose file wants a last touch after everything is written.
public protocol FinishingNode: Node {
  /// The file that the node writes.
  var outputPath: String { get }

  /// Completes the file: called once, after every input has ended and the elements have closed it,
  /// before the run counts as completed. Not on a streaming thread; it may take as long as a copy
  /// of the file. A file that it fails on is left as it was.
  func finishFile() throws(NodeError)
}
