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
    do { return try base.discover(path) } catch {
      guard case .free = base.outputPlace(path) else { throw error }
      paths.withLock { if !$0.contains(path) { $0.append(path) } }
      return [
        DiscoveredStream(identifier: "0", format: .encoded(EncodedFormat(.h264)), duration: nil),
        DiscoveredStream(identifier: "1", format: .encoded(EncodedFormat(.aac)), duration: nil),
      ]
    }
  }
}
