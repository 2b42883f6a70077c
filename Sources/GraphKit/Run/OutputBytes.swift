import GStreamer

/// Files that Swift nodes write in one go.
package enum OutputBytes {
  /// Writes a whole file, in place of one that is there; `-` is standard output.
  package static func write(_ bytes: [UInt8], to path: String) throws(NodeError) {
    do {
      if path == "-" {
        try StandardStream.output.write(bytes)
      } else {
        try File.replace(path, with: bytes)
      }
    } catch {
      throw NodeError(
        "`\(path)` can't be written: \(error.text)", remedy: "give another path", key: "path")
    }
  }
}
