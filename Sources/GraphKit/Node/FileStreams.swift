/// The streams of a file that a source gives as the file has them: the source makes nothing of what
/// a wire asks for, and no stream waits for another.
public struct FileStreams: Hashable, Sendable {
  /// What is presented of the stream of each output, where the file says.
  public var edits: [String: StreamEdit]
  /// The outputs whose stream is a single frame, which has no length.
  public var stills: Set<String>

  /// Streams that are presented as they come.
  public init(edits: [String: StreamEdit] = [:], stills: Set<String> = []) {
    self.edits = edits
    self.stills = stills
  }
}
