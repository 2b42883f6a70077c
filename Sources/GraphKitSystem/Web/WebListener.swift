import CGraphKitSystem
import Glibc

/// A socket that browsers connect to.
package final class WebListener: Sendable {
  let descriptor: Int32
  /// The port: the one that was asked for, or that the system chose for 0.
  package let port: UInt16
  /// Whether only programs of this machine can connect.
  let isLocal: Bool

  /// Listens at a port of an address of this machine, such as `127.0.0.1`, `::1` or `0.0.0.0` for all.
  package init(_ host: String, port: UInt16) throws(File.Failure) {
    guard let address = SocketAddress(host, port: port) else {
      throw File.Failure(code: EINVAL, text: "No address of a machine")
    }
    descriptor = socket(
      address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      0)
    guard descriptor >= 0 else { throw .last }
    // The port of a run that has just ended is free.
    var one: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    guard address.bind(descriptor), listen(descriptor, 64) == 0 else {
      let failure = File.Failure.last
      close(descriptor)
      throw failure
    }
    self.port = SocketAddress.port(of: descriptor) ?? port
    isLocal = host.hasPrefix("127.") || host == "::1"
  }

  deinit { close(descriptor) }
}

/// The address of a socket of the Internet's protocols.
private struct SocketAddress {
  private var old = sockaddr_in()
  private var new: sockaddr_in6?

  var family: Int32 { new == nil ? AF_INET : AF_INET6 }

  init?(_ host: String, port: UInt16) {
    old.sin_family = sa_family_t(AF_INET)
    old.sin_port = port.bigEndian
    if unsafe inet_pton(AF_INET, host, &old.sin_addr) == 1 { return }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return nil }
    new = address
  }

  func bind(_ socket: Int32) -> Bool {
    if let new { return Self.bind(socket, new) }
    return Self.bind(socket, old)
  }

  private static func bind<Address>(_ socket: Int32, _ address: Address) -> Bool {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.bind(socket, pointer, socklen_t(MemoryLayout<Address>.size))
      }
    } == 0
  }

  /// The port that a socket has got.
  static func port(of socket: Int32) -> UInt16? {
    var (address, length) = (sockaddr_in6(), socklen_t(MemoryLayout<sockaddr_in6>.size))
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe getsockname(socket, pointer, &length)
      }
    }
    // The port is at the same place in both.
    return result == 0 ? UInt16(bigEndian: address.sin6_port) : nil
  }
}
