import CGraphKitSystem
import Glibc

/// One of two connected ends over which processes of this machine send messages, each of which comes as
/// it was sent or not at all. A message may bring a descriptor along.
///
/// Any thread may send, and one receives. Closed with its last use.
package final class MessageSocket: Sendable {
  /// The most bytes that a message may have.
  package static let mostBytes = 65_536

  /// What has come.
  package enum Reception: Sendable {
    case message([UInt8], Attachment?)
    /// Nothing came in time.
    case nothing
    /// Nothing more will come: the other end is closed, or has sent what is too long.
    case closed
  }

  /// A descriptor that came with a message; closed with its last use.
  package final class Attachment: Sendable {
    fileprivate let descriptor: Int32

    fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The memory that it is of.
    package func memory() throws(File.Failure) -> SharedMemory {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .last }
      return try SharedMemory(mapping: copy)
    }

    /// The number by which the kernel knows it in this process.
    package var number: Int32 { descriptor }
  }

  private let descriptor: Int32

  /// The end that the program which started this one has made its standard input.
  package static var ofParent: MessageSocket { MessageSocket(STDIN_FILENO) }

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Two connected ends.
  static func pair() throws(File.Failure) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
    return (MessageSocket(ends[0]), MessageSocket(ends[1]))
  }

  /// The descriptor for a program that is to have this end.
  var number: Int32 { descriptor }

  /// Sends a message, as soon as there is room for it; `false` where nobody receives it. Memory can be
  /// sent once.
  package func send(_ bytes: [UInt8], memory: SharedMemory? = nil) -> Bool {
    guard let memory else { return send(bytes, descriptor: -1) }
    return memory.share { send(bytes, descriptor: $0) }
  }

  /// Sends a message with a file.
  package func send(_ bytes: [UInt8], file: File) -> Bool {
    send(bytes, descriptor: file.descriptor)
  }

  private func send(_ bytes: [UInt8], descriptor attached: Int32) -> Bool {
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes else { return false }
    while true {
      let sent = unsafe bytes.withUnsafeBytes { buffer in
        unsafe graphkit_send(descriptor, buffer.baseAddress!, buffer.count, attached)
      }
      if sent >= 0 { return sent == bytes.count }
      guard errno == EINTR else { return false }
    }
  }

  /// The next message, waiting for so long at most; for ever where that is less than zero.
  package func receive(within milliseconds: Int32) -> Reception {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return .nothing }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    var attached: Int32 = -1
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe graphkit_receive(descriptor, buffer.baseAddress!, buffer.count, &attached)
    }
    let attachment = attached >= 0 ? Attachment(attached) : nil
    if count < 0, errno == EINTR { return .nothing }
    guard count > 0, count <= bytes.count else { return .closed }
    return .message(Array(bytes[..<count]), attachment)
  }
}
