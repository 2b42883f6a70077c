import GStreamer
import GraphKitSystem

/// A regular file that a node reads itself, at stated places; closed with its last use. It may be that
/// of a web server, by its address: its bytes then come as they are read.
public final class InputFile: Sendable {
  /// The path that it was opened by.
  public let path: String
  package let file: File

  /// Opens a file. Folders, pipes and devices are refused, so that nothing blocks. The beginning of
  /// a file of a web server is waited for.
  public init(_ path: String) throws(NodeError) {
    self.path = path
    let place = path.localPath
    guard !File.isFolder(place) else {
      throw NodeError("`\(path)` is a folder", remedy: "name a file in it", key: "path")
    }
    let web: WebFile?
    do throws(WebFailure) { web = try path.isWebAddress ? WebFile.open(path) : nil } catch {
      throw .unfetched(path, error)
    }
    do throws(File.Failure) {
      if let web { file = try File(web) } else { file = try File(place) }
    } catch {
      throw NodeError(
        "`\(path)` can't be opened: \(error.text)",
        remedy: place.contains("://")
          ? "give a file, or an address that begins with `http://` or `https://`"
          : "give a file that is there and may be read", key: "path")
    }
  }

  /// The path by which elements find what is on this machine of a file.
  package static func elementPath(of path: String, _ fetched: InputFile?) -> String {
    fetched?.file.ownPath ?? path.localPath
  }

  private init(_ path: String, _ web: WebFile) throws(File.Failure) {
    self.path = path
    file = try File(web)
  }

  /// The same file of a web server for one more reader, which can be stopped for itself.
  package func reopened() -> InputFile { file.web.flatMap { try? InputFile(path, $0) } ?? self }

  /// Whether its bytes come from a web server.
  package var isOfWebServer: Bool { file.web != nil }

  /// Bytes of the file, as it is now.
  public var byteCount: Int { file.size }

  /// Some bytes; fewer at the end of the file.
  public func bytes(at offset: Int, count: Int) throws(NodeError) -> [UInt8] {
    do throws(File.Failure) { return try file.read(at: offset, count: count) } catch {
      throw fetchingError
        ?? NodeError(
          "`\(path.withoutSecrets)` can't be read at byte \(offset): \(error.text)",
          remedy: "check the disk",
          key: "path")
    }
  }

  /// Why no more of a file of a web server can be had; `nil` while that may be.
  package var fetchingError: NodeError? { file.web?.failure.map { .unfetched(path, $0) } }

  /// Why bytes of it can't be read that were there.
  package func error(_ failure: File.Failure) -> NodeError {
    if let fetchingError { return fetchingError }
    guard failure.code == 0 else {
      return NodeError(
        "`\(path)` can't be read: \(failure.text)", remedy: "check the disk", key: "path")
    }
    return NodeError(
      "`\(path)` was cut off by another program while it was read",
      remedy: "leave the file alone until the run has ended", key: "path")
  }
}

extension InputFile: Hashable {
  public static func == (one: InputFile, other: InputFile) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NodeError {
  /// Why a file of a web server can't be read.
  package static func unfetched(_ address: String, _ failure: WebFailure) -> NodeError {
    var error = NodeError(
      "`\(address.withoutSecrets)` can't be read: \(failure.text)", remedy: failure.remedy,
      key: "path")
    error.isTemporary = failure.isTemporary
    return error
  }

  /// The same about a file whose address may have passwords in it.
  package func hidingSecrets(of path: String) -> NodeError {
    var error = self
    error.message = message.replacing(path, with: path.withoutSecrets)
    return error
  }
}
