import Glibc

/// A connection to a program that listens on this machine; closed with its last use.
package final class LocalSocket: Sendable {
  private let descriptor: Int32
  /// Whether the program has no time at the moment.
  package let isBusy: Bool

  /// Connects without waiting; `nil` where nobody listens. A name that begins with a NUL is
  /// abstract.
  package init?(_ path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return nil
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
    guard socket >= 0 else { return nil }
    let length = MemoryLayout<sa_family_t>.size + name.count + (name[0] == 0 ? 0 : 1)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe connect(socket, pointer, socklen_t(length))
      }
    }
    // A busy server answers EAGAIN to a caller that won't wait; it is there all the same.
    guard result == 0 || errno == EAGAIN else {
      close(socket)
      return nil
    }
    (descriptor, isBusy) = (socket, result != 0)
  }

  deinit { close(descriptor) }

  /// Sends bytes that fit into a packet; `false` where they can't be sent at once.
  package func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    } == bytes.count
  }

  /// So many bytes, or fewer where the program closes, or says nothing for a second.
  package func receive(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe Glibc.poll(&poll, 1, 1000) > 0 else { break }
      let room = count - done
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe recv(descriptor, buffer.baseAddress! + done, room, 0)
      }
      guard read > 0 else { break }
      done += read
    }
    return Array(bytes[..<done])
  }
}
