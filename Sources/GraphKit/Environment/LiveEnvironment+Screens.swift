import GStreamer
import System

extension LiveEnvironment {
  /// The size of the first screen of an X server on this machine, from the server's reply to a
  /// connection.
  public func screenSize(of display: String) -> ScreenSize? {
    guard display.hasPrefix(":") else { return nil }
    let parts = display.dropFirst().split(separator: ".")
    guard let number = parts.first, Int(number) != nil, parts.count < 2 || parts[1] == "0" else {
      return nil
    }
    let path = "/tmp/.X11-unix/X\(number)"
    guard let socket = LocalSocket(path) ?? LocalSocket("\0\(path)"), !socket.isBusy,
      socket.send(XGreeting.request(XAuthority.cookie(ofDisplay: String(number))))
    else { return nil }
    let head = socket.receive(8)
    guard head.count == 8, head[0] == 1 else { return nil }
    return XGreeting.screenSize(in: socket.receive(4 * head.number(at: 6)))
  }
}

/// The first words between an X server and a program (X Window System Protocol, section 8).
enum XGreeting {
  static func request(_ cookie: [UInt8]) -> [UInt8] {
    let name = cookie.isEmpty ? [] : XAuthority.method
    let head = [UInt8(ascii: "l"), 0, 11, 0, 0, 0]
    return head + [UInt8(truncatingIfNeeded: name.count), 0]
      + [UInt8(truncatingIfNeeded: cookie.count), 0, 0, 0] + padded(name) + padded(cookie)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// What follows the first eight bytes of a welcome; `nil` where it is cut short.
  static func screenSize(in reply: [UInt8]) -> ScreenSize? {
    guard reply.count >= 32, reply[20] > 0 else { return nil }
    let vendor = (reply.number(at: 16) + 3) / 4 * 4
    let screen = 32 + vendor + 8 * Int(reply[21])
    guard reply.count >= screen + 24 else { return nil }
    return ScreenSize(
      width: reply.number(at: screen + 20), height: reply.number(at: screen + 22))
  }
}

/// The file of keys to X servers: entries of a family and four texts, each after its length.
enum XAuthority {
  static let method = Array("MIT-MAGIC-COOKIE-1".utf8)

  /// The key to a display of this machine; empty where there is none.
  static func cookie(ofDisplay number: String) -> [UInt8] {
    let home = Machine.variable("HOME").map { "\($0)/.Xauthority" }
    guard let path = Machine.variable("XAUTHORITY") ?? home, let file = try? File(path),
      let bytes = try? file.read(at: 0, count: 65_536)
    else { return [] }
    return cookie(ofDisplay: Array(number.utf8), in: bytes)
  }

  static func cookie(ofDisplay number: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    func text() -> [UInt8]? {
      guard rest.count >= 2 else { return nil }
      let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    while rest.count > 2 {
      rest = rest.dropFirst(2)
      guard text() != nil, let display = text(), let name = text(), let data = text() else {
        return []
      }
      if name == method, display == number || display.isEmpty { return data }
    }
    return []
  }
}

extension [UInt8] {
  /// A number of two bytes, the low one first.
  fileprivate func number(at index: Int) -> Int { Int(self[index]) | Int(self[index + 1]) << 8 }
}
