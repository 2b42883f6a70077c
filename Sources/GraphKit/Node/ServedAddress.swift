/// An address of this machine at which a node serves other programs.
public struct ServedAddress: Hashable, Sendable {
  /// An address in numbers: `127.0.0.1`, `::1`; `0.0.0.0` for all of IPv4, `::` for all.
  public var host: String
  /// The port.
  public var port: UInt16
  /// The key that names it.
  public var key: String

  /// An address by its host and port.
  public init(_ host: String, port: UInt16, key: String) {
    (self.host, self.port, self.key) = (host, port, key)
  }

  /// Whether the system gives only one of the two to a program.
  func meets(_ other: ServedAddress) -> Bool {
    port == other.port && (host == other.host || holds(other) || other.holds(self))
  }

  /// Whether it is for all addresses of which the other is one.
  private func holds(_ other: ServedAddress) -> Bool {
    host == "::" || host == "0.0.0.0" && !other.host.contains(":")
  }
}
