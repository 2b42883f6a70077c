import GStreamer
import GraphKitSystem

/// A local socket through which other programs of the same user control a run.
///
/// The protocol is a JSON object a line, and an answer a line: see `docs/live-control.md`. Only the
/// owner can open the socket, and nothing that is sent there blocks the run.
public final class ControlSocket: Sendable {
  private let server: LocalServer

  /// Serves a pipeline at a path until ``close()``. A socket that a dead process left there is
  /// replaced; throws where another program listens there, or no socket can be made.
  public init(for pipeline: Pipeline, at path: String) throws(NodeError) {
    let desk = ControlDesk(pipeline: pipeline)
    var limits = LocalServer.Limits()
    limits.lineBytes = ControlDesk.longestLine
    do throws(LocalListener.Failure) {
      server = try LocalServer(at: path, limits: limits, refusal: ControlDesk.tooLong) {
        desk.answer($0)
      }
    } catch {
      throw NodeError(error, path)
    }
  }

  /// Ends the service, and removes the socket; again, to no effect.
  public func close() { server.stop() }
}

extension NodeError {
  fileprivate init(_ failure: LocalListener.Failure, _ path: String) {
    let name = "`\(excerpt(path, limit: 120))`"
    switch failure {
    case .badLength(let most):
      self.init(
        "\(name) has \(path.utf8.count) bytes",
        remedy: "the path of a socket has 1 to \(most); give a shorter one")
    case .inUse:
      self.init("a program listens at \(name) already", remedy: "give each run its own socket")
    case .notASocket:
      self.init("\(name) is there and no socket", remedy: "give another path")
    case .system(let text):
      self.init(
        "no socket can be made at \(name): \(text)", remedy: "give a path in a folder of your own")
    }
  }
}
