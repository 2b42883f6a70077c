import GStreamer
import GraphKitSystem

/// A file that a node writes from its start to its end; `-` is standard output.
///
/// The file has its name only once ``complete()`` was called, and what was there until then stays
/// as it was: one that is given up leaves nothing behind. Pipes, devices and standard output get
/// what is written as it comes. It belongs to one thread at a time.
public struct WholeFile: ~Copyable {
  private var file: ReplacementFile
  private let path: String
  private var pending: [UInt8] = []

  /// The path that stands for standard output.
  public static let standardOutput = "-"

  /// Bytes that are written at once.
  private static let blockSize = 65_536

  /// Begins a file, which will replace one that is there: whether it may is asked of
  /// ``Environment/outputPlace(_:)`` before anything runs.
  public init(_ path: String) throws(NodeError) {
    self.path = path
    guard path != Self.standardOutput else {
      file = ReplacementFile(StandardStream.output)
      return
    }
    do throws(File.Failure) { file = try ReplacementFile(path) } catch {
      throw Self.error(path, error)
    }
  }

  /// Writes the bytes that follow.
  public mutating func write(_ bytes: [UInt8]) throws(NodeError) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.blockSize { try flush() }
  }

  /// Writes what is left, and gives the file its name.
  public mutating func complete() throws(NodeError) {
    try flush()
    do throws(File.Failure) { try file.complete() } catch { throw Self.error(path, error) }
  }

  private mutating func flush() throws(NodeError) {
    do throws(File.Failure) { try file.write(pending) } catch { throw Self.error(path, error) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Why a file can't be written.
  static func error(_ path: String, _ failure: File.Failure) -> NodeError {
    guard path != standardOutput else {
      return NodeError(
        "standard output can't be written to: \(failure.text)",
        remedy: "look at where it leads", key: "path")
    }
    var error = NodeError(
      "`\(path)` can't be written: \(failure.text)",
      remedy: failure.writingRemedy, key: "path")
    error.isOutOfRoom = failure.isFull
    return error
  }
}
