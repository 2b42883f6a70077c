import GraphKit
import GraphKitSystem

/// Where browsers are shown pictures: an address of this machine, and a port.
struct PageAddress {
  private let host: String
  private let port: UInt16

  /// `nil` where a text isn't an address in numbers, or `localhost`, or nothing for all of the
  /// machine's, and a port.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /(localhost|[0-9.]*|\[[0-9a-fA-F:]+\]):(\d{1,5})/),
      let port = UInt16(match.output.2), port > 0, !NetworkAddress.isGroup(match.output.1)
    else { return nil }
    self.port = port
    switch match.output.1 {
    case "": host = "0.0.0.0"
    case "localhost": host = "127.0.0.1"
    default: host = String(match.output.1.filter { $0 != "[" && $0 != "]" })
    }
  }

  /// The same, as a node of a graph says that it serves it.
  var served: ServedAddress { ServedAddress(host, port: port, key: "address") }

  /// Whether something else is served there.
  func check() throws(NodeError) {
    do throws(File.Failure) { _ = try WebListener(host, port: port) } catch { throw problem(error) }
  }

  /// Serves pictures there as long as the server is used.
  func serve(_ kind: StillImage) throws(NodeError) -> ImageServer {
    do throws(File.Failure) {
      return try ImageServer(at: host, port: port, mediaType: kind.mediaType)
    } catch { throw problem(error) }
  }

  private func problem(_ failure: File.Failure) -> NodeError {
    NodeError(
      "nothing can be shown at \(host.contains(":") ? "[\(host)]" : host):\(port): \(failure.text)",
      remedy: "give another port, or an address of this machine", key: "address")
  }
}
