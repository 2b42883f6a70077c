import CGraphKitSystem
import Glibc

/// The address of a socket of this machine. A name that begins with a NUL is abstract.
struct LocalAddress {
  private let address: sockaddr_un
  private let length: socklen_t

  /// The most bytes that a path may have.
  static let mostBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// `nil` where the path is empty or too long.
  init?(_ path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard !name.isEmpty, name.count <= Self.mostBytes else { return nil }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    self.address = address
    length = socklen_t(
      MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1))
  }

  /// Connects a socket; `false`, with `errno` set, where that fails.
  func connect(_ socket: Int32) -> Bool {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.connect(socket, pointer, length)
      }
    } == 0
  }

  /// Gives a socket this address; `false`, with `errno` set, where that fails.
  func bind(_ socket: Int32) -> Bool {
    unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe Glibc.bind(socket, pointer, length)
      }
    } == 0
  }

  /// A new socket that never waits.
  static func socket() throws(File.Failure) -> Int32 {
    let socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard socket >= 0 else { throw .last }
    return socket
  }
}
