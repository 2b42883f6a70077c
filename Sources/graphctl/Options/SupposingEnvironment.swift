import GraphKit
import Synchronization

/// The machine, where every file that isn't there counts as a movie with video and audio: so that a
/// graph can be explained before there is anything for it to read.
final class SupposingEnvironment: Environment {
  private let base = OverwritingEnvironment()
  private let paths = Mutex<[String]>([])

  /// The files that were supposed.
  var supposed: [String] { paths.withLock { $0 } }

  func isInstalled(_ element: ElementSpec) -> Bool { base.isInstalled(element) }

  func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    try base.inspect(factory)
  }

  func decoders(of caps: String) -> [ElementSpec] { base.decoders(of: caps) }

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

  func devices(_ kind: DeviceKind) -> [Device] { base.devices(kind) }

  func screenSize(of display: String) -> ScreenSize? { base.screenSize(of: display) }

  func outputPlace(_ path: String) -> OutputPlace { base.outputPlace(path) }

  func identity(of path: String) -> FileIdentity? { base.identity(of: path) }

  func names(in folder: String) -> [String] { base.names(in: folder) }

  var replacesFiles: Bool { true }
}
