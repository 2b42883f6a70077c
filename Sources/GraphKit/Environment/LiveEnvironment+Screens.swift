import GStreamer
import Media
import GraphKitSystem

extension LiveEnvironment {
  /// The size of a screen of an X server on this machine, as the element that records it finds it.
  ///
  /// Whether a server listens is asked first: X's library would wait for one that is elsewhere.
  public func screenSize(of display: String) -> ScreenSize? {
    guard display.hasPrefix(":"), hasScreen(display) else { return nil }
    Library.start(plugins: ["ximagesrc"])
    guard let source = Element(factory: "ximagesrc", name: "screen"),
      source.set("display-name", display),
      let caps = source.pad("src")?.possibleCaps?.description,
      let structure = CapsStructure.all(in: caps)?.first,
      let width = structure.text("width").flatMap({ Int($0) }),
      let height = structure.text("height").flatMap({ Int($0) })
    else { return nil }
    return ScreenSize(width: width, height: height)
  }

  /// Whether an X server listens for a display such as `:0` or `:0.0`; `true` for one elsewhere.
  func hasScreen(_ display: String) -> Bool {
    guard display.hasPrefix(":") else { return display.contains(":") }
    let number = display.dropFirst().prefix { $0 != "." }
    guard Int(number) != nil else { return false }
    let path = "/tmp/.X11-unix/X\(number)"
    return Machine.isListening(at: path) || Machine.isListening(at: "\0\(path)")
  }
}
