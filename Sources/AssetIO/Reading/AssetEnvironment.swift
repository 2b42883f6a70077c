import GraphKit
import GraphKitSystem

/// The machine, with a file that was looked into before and needn't be again.
struct AssetEnvironment: Environment {
  private let base = LiveEnvironment()
  let asset: MediaAsset

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    guard path == asset.path else { return try base.discover(path) }
    guard let stamp = asset.stamp, stamp == FileStamp(path) else {
      throw NodeError(
        "`\(path)` has changed since it was opened", remedy: "open it again", key: "path")
    }
    return asset.streams
  }

  func isInstalled(_ element: ElementSpec) -> Bool { base.isInstalled(element) }
  func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    try base.inspect(factory)
  }
  func takes(_ value: String, for property: String, of factory: String) -> Bool {
    base.takes(value, for: property, of: factory)
  }
  func decoders(of caps: String) -> [ElementSpec] { base.decoders(of: caps) }
  func devices(_ kind: DeviceKind) -> [Device] { base.devices(kind) }
  func screenSize(of display: String) -> ScreenSize? { base.screenSize(of: display) }
  func outputPlace(_ path: String) -> OutputPlace { base.outputPlace(path) }
  func identity(of path: String) -> FileIdentity? { base.identity(of: path) }
  func names(in folder: String) -> [String] { base.names(in: folder) }
}
