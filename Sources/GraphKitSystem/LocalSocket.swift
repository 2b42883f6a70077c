import Glibc

/// A connection to a program that listens on this machine; closed with its last use.
package final class LocalSocket: Sendable {
  private let descriptor: Int32
  /// Whether the program has no time at the moment.
  package let isBusy: Bool

  /// Connects without waiting; `nil` where no process listens. A name that begins with a NUL is
  /// abstract.
  package convenience init?(_ path: String) {
    do { try self.init(connectingTo: path) } catch { return nil }
  }

  /// Connects without waiting. Throws why that can't be.
  package init(connectingTo path: String) throws(File.Failure) {
    guard let address = LocalAddress(path) else {
      throw File.Failure(code: ENAMETOOLONG, text: "Path of a socket too long")
    }
    let socket = try LocalAddress.socket()
    let isConnected = address.connect(socket)
    // A busy server answers EAGAIN to a caller that won't wait; it is there all the same.
    guard isConnected || errno == EAGAIN else {
      let failure = File.Failure.last
      close(socket)
      throw failure
    }
    (descriptor, isBusy) = (socket, !isConnected)
  }

  deinit { close(descriptor) }

  /// Sends bytes that fit into a packet; `false` where they can't be sent at once.
  package func send(_ bytes: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
    } == bytes.count
  }

  /// The bytes up to the next line feed; `nil` where the program closes before it, sends more than
  /// `limit`, or says nothing for `seconds`.
  package func receiveLine(limit: Int, within seconds: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    while line.count < limit {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe Glibc.poll(&poll, 1, seconds * 1000)
      if ready < 0, errno == EINTR { continue }
      var block = [UInt8](repeating: 0, count: 4096)
      let read = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      }
      guard ready > 0, read > 0 else { return nil }
      let end = block[..<read].firstIndex(of: UInt8(ascii: "\n"))
      line += block[..<(end ?? read)]
      if end != nil { return line }
    }
    return nil
  }
}
