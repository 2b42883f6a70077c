/// An environment that asks another for all that it doesn't answer itself.
package protocol ForwardingEnvironment: Environment {
  /// The other.
  var base: any Environment { get }
}

extension ForwardingEnvironment {
  package func isInstalled(_ element: ElementSpec) -> Bool { base.isInstalled(element) }

  package func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    try base.inspect(factory)
  }

  package func takes(_ value: String, for property: String, of factory: String) -> Bool {
    base.takes(value, for: property, of: factory)
  }

  package func decoders(of caps: String) -> [ElementSpec] { base.decoders(of: caps) }

  package func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
    try base.discover(path)
  }

  package func discover(isolated input: IsolatedInput) throws(NodeError) -> (
    streams: [DiscoveredStream], shortfall: String?
  ) { try base.discover(isolated: input) }

  package func devices(_ kind: DeviceKind) -> [Device] { base.devices(kind) }

  package func screenSize(of display: String) -> ScreenSize? { base.screenSize(of: display) }

  package func outputPlace(_ path: String) -> OutputPlace { base.outputPlace(path) }

  package func identity(of path: String) -> FileIdentity? { base.identity(of: path) }

  package func names(in folder: String) -> [String] { base.names(in: folder) }

  package var replacesFiles: Bool { base.replacesFiles }

  package var isolatesFiles: Bool { base.isolatesFiles }

  package func prepareSecureConnections() throws(NodeError) { try base.prepareSecureConnections() }

  package func certificateProblem(host: String, port: Int?) -> NodeError? {
    base.certificateProblem(host: host, port: port)
  }
}
