import GraphKit

/// This machine, without its devices.
struct Undeviced: Environment {
  private let machine = LiveEnvironment()

  func isInstalled(_ element: ElementSpec) -> Bool { machine.isInstalled(element) }
  func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    try machine.inspect(factory)
  }
  func decoders(of caps: String) -> [ElementSpec] { machine.decoders(of: caps) }
  func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    try machine.discover(path)
  }
  func devices(_ kind: DeviceKind) -> [Device] { [] }
  func outputPlace(_ path: String) -> OutputPlace { machine.outputPlace(path) }
}
