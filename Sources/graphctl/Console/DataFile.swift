import GStreamer
import GraphKitSystem

/// A file that a command writes data to, in place of one that was there.
struct DataFile {
  let path: String

  /// Makes sure that the file can be written.
  init(_ path: String) throws {
    self.path = path
    try write("")
  }

  /// Replaces what is in the file.
  func write(_ text: String) throws {
    do throws(File.Failure) {
      try File.replace(path, with: Array(text.utf8))
    } catch {
      throw CommandFailure(
        status: .cannotCreate,
        message: "`\(path)` can't be written: \(error.text); give another path")
    }
  }
}
