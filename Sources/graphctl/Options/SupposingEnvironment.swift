import GraphKit
import Synchronization

/// The machine, where every file that isn't there counts as a movie with video and audio: so that a
/// graph can be explained before there is anything for it to read.
final class SupposingEnvironment: ForwardingEnvironment {
  let base: any Environment = OverwritingEnvironment()
  private let paths = Mutex<[String]>([])

  /// The files that were supposed.
  var supposed: [String] { paths.withLock { $0 } }

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    do { return try base.discover(path) } catch { return try suppose(path, error) }
  }

  func discover(isolated input: IsolatedInput) throws(NodeError) -> (
    streams: [DiscoveredStream], shortfall: String?
  ) {
    do { return try base.discover(isolated: input) } catch {
      return (try suppose(input.path, error), nil)
    }
  }

  /// The streams of a file that can't be looked into, where that is since it isn't there.
  private func suppose(_ path: String, _ error: NodeError) throws(NodeError) -> [DiscoveredStream] {
    guard case .free = base.outputPlace(path) else { throw error }
    paths.withLock { if !$0.contains(path) { $0.append(path) } }
    return [
      DiscoveredStream(identifier: "0", format: .encoded(EncodedFormat(.h264)), duration: nil),
      DiscoveredStream(identifier: "1", format: .encoded(EncodedFormat(.aac)), duration: nil),
    ]
  }
}
