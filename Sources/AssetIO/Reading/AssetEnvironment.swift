import GraphKit
import GraphKitSystem

/// The machine, with a file that was looked into before and needn't be again.
struct AssetEnvironment: ForwardingEnvironment {
  let base: any Environment = LiveEnvironment()
  let asset: MediaAsset

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    guard path == asset.path else { return try base.discover(path) }
    // The copy of a web server's file stays what it is.
    let isFetched = asset.streams.contains { $0.fetched != nil }
    guard isFetched || asset.stamp.map({ $0 == FileStamp(path) }) == true else {
      throw NodeError(
        "`\(path)` has changed since it was opened", remedy: "open it again", key: "path")
    }
    return asset.streams
  }
}
