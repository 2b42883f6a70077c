import GStreamer
import GraphKitSystem

/// A regular file that a node reads itself, at stated places; closed with its last use.
public final class InputFile: Sendable {
  /// The path that it was opened by.
  public let path: String
  package let file: File

  /// Opens a file. Folders, pipes and devices are refused, so that nothing blocks.
  public init(_ path: String) throws(NodeError) {
    self.path = path
    guard !File.isFolder(path) else {
      throw NodeError("`\(path)` is a folder", remedy: "name a file in it", key: "path")
    }
    do throws(File.Failure) { file = try File(path) } catch {
      throw NodeError(
        "`\(path)` can't be opened: \(error.text)",
        remedy: "give a file that is there and may be read", key: "path")
    }
  }

  /// Bytes of the file, as it is now.
  public var byteCount: Int { file.size }

  /// Some bytes; fewer at the end of the file.
  public func bytes(at offset: Int, count: Int) throws(NodeError) -> [UInt8] {
    do throws(File.Failure) { return try file.read(at: offset, count: count) } catch {
      throw NodeError(
        "`\(path)` can't be read at byte \(offset): \(error.text)", remedy: "check the disk",
        key: "path")
    }
  }

  /// Why bytes of it can't be read that were there.
  package func error(_ failure: File.Failure) -> NodeError {
    guard failure.code == 0 else {
      return NodeError(
        "`\(path)` can't be read: \(failure.text)", remedy: "check the disk", key: "path")
    }
    return NodeError(
      "`\(path)` was cut off by another program while it was read",
      remedy: "leave the file alone until the run has ended", key: "path")
  }
}
