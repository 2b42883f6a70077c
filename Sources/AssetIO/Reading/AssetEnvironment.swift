import GraphKit
import GraphKitSystem

/// The machine, with a file that was looked into before and needn't be again.
struct AssetEnvironment: ForwardingEnvironment {
  let base: any Environment = LiveEnvironment()
  let asset: MediaAsset

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    guard path == asset.path else { return try base.discover(path) }
    guard let stamp = asset.stamp, stamp == FileStamp(path) else {
      throw NodeError(
        "`\(path)` has changed since it was opened", remedy: "open it again", key: "path")
    }
    return asset.streams
  }
}
