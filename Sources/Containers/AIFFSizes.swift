import GraphKitSystem
import Media

/// The sizes in the head of an AIFF file, which have 32 bits and no others in place of them.
package enum AIFFSizes {
  /// Throws where a file is larger than its sizes can say.
  package static func check(_ path: String) throws(NodeError) {
    guard let file = FileStamp(path), file.exceedsChunkSizes else { return }
    throw NodeError(
      "`\(path)` has \(file.size) bytes, and an AIFF file can say 4 GiB at most: its audio is there, but "
        + "readers see too little of it",
      remedy: "write a WAV file with `wavSink`, which has no such end")
  }
}

extension FileStamp {
  /// Whether a file is larger than the size of 32 bits says that RIFF and AIFF have.
  var exceedsChunkSizes: Bool { size - 8 > UInt32.max }
}
