import GraphKit

/// The machine, with every file that a graph would write counted as free to be replaced.
struct OverwritingEnvironment: Environment {
  private let base = LiveEnvironment()

  func isInstalled(_ element: ElementSpec) -> Bool { base.isInstalled(element) }

  func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    try base.inspect(factory)
  }

  func decoders(of caps: String) -> [ElementSpec] { base.decoders(of: caps) }

  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    try base.discover(path)
  }

  func devices(_ kind: DeviceKind) -> [Device] { base.devices(kind) }

  func screenSize(of display: String) -> ScreenSize? { base.screenSize(of: display) }

  func outputPlace(_ path: String) -> OutputPlace { base.outputPlace(path) }

  func identity(of path: String) -> FileIdentity? { base.identity(of: path) }

  func names(in folder: String) -> [String] { base.names(in: folder) }

  var replacesFiles: Bool { true }
}
