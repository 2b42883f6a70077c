import GraphKit

extension Environment {
  /// The identifier of a device that is there: the first one for `auto`, `nil` where there is none.
  /// A device that is asked for by name must be there.
  func captureDevice(_ kind: DeviceKind, named name: String) throws(NodeError) -> String? {
    let devices = devices(kind)
    if name == "auto" { return devices.first?.identifier }
    guard devices.contains(where: { $0.identifier == name }) else {
      throw .noDevice(kind.rawValue, name, devices)
    }
    return name
  }
}

extension NodeError {
  /// A device that was asked for by name and isn't there.
  static func noDevice(_ kind: String, _ wanted: String, _ there: [Device]) -> NodeError {
    let names = there.map { "`\($0.identifier)`" }.joined(separator: ", ")
    return NodeError(
      "there is no \(kind) `\(wanted)`",
      remedy: there.isEmpty
        ? "none is there at all: connect one, or write `auto` for a stand-in"
        : "write \(names) or `auto`", key: "device")
  }
}
