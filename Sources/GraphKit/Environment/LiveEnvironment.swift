import GStreamer
import GraphKitSystem

/// The machine that this process runs on.
public struct LiveEnvironment: Environment {
  /// Whether every file is read by a process of its own, as with `isolate`: at first, whether the
  /// variable `GRAPHKIT_ISOLATE` is set, to anything but nothing, `0`, `false`, `no` or `off`.
  public var isolatesFiles: Bool

  /// The machine itself.
  public init() {
    let word = Machine.variable("GRAPHKIT_ISOLATE")?.lowercased() ?? ""
    // A server that believes itself protected is.
    isolatesFiles = !["", "0", "false", "no", "off"].contains(word)
  }

  /// Whether an element can be made.
  ///
  /// Where the plug-in is known and plug-ins are in their usual folder, its file tells, and
  /// GStreamer isn't started for it.
  public func isInstalled(_ element: ElementSpec) -> Bool {
    if let plugin = element.plugin, Library.hasPluginFolder {
      return Library.isInstalled(plugin: plugin)
    }
    Library.start(plugins: nil)
    return Library.hasFactory(element.factory)
  }

  /// An installed element's pads and properties.
  public func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
    Library.start(plugins: nil)
    guard let found = Library.inspect(factory) else {
      throw NodeError(
        "no GStreamer element is called `\(factory)`",
        remedy: suggestion(for: factory, Library.elementNames)
          ?? "`gst-inspect-1.0` lists those that are installed", key: "element")
    }
    return ElementInspection(
      pads: found.pads.map(ElementInspection.Pad.init), properties: found.properties,
      plugin: found.plugin)
  }

  /// The installed elements that decode media of some caps, in the order of their ranks. All
  /// plug-ins must be known for that.
  public func decoders(of caps: String) -> [ElementSpec] {
    Library.start(plugins: nil)
    return Library.decoders(of: caps).map { ElementSpec($0, plugin: nil) }
  }

  /// Whether an installed element takes a value for a property: one is made, and tried.
  public func takes(_ value: String, for property: String, of factory: String) -> Bool {
    Library.start(plugins: nil)
    guard let element = Element(factory: factory, name: "check") else { return false }
    return element.set(property, value)
  }
}

extension ElementInspection.Pad {
  fileprivate init(_ template: FactoryInspection.PadTemplate) {
    let presence: Presence =
      switch template.presence {
      case .always: .always
      case .sometimes: .sometimes
      case .request: .request
      }
    self.init(
      name: template.name, direction: template.isInput ? .input : .output, presence: presence,
      caps: template.caps)
  }
}
