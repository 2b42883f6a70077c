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

  /// What has become of a message.
  package enum Delivery: Hashable, Sendable {
    case sent
    /// There is no room for it: the other process doesn't receive what was sent before.
    case full
    /// The other end is closed.
    case gone
    /// It has no bytes, or more than ``mostBytes``.
    case unfit
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
  /// Whether the other end is trusted: then sending waits for room, and descriptors are received.
  private let isOfParent: Bool

  /// The end that the program which started this one has made its standard input.
  package static var ofParent: MessageSocket {
    MessageSocket(STDIN_FILENO, isOfParent: true)
  }

  private init(_ descriptor: Int32, isOfParent: Bool) {
    (self.descriptor, self.isOfParent) = (descriptor, isOfParent)
  }

  deinit { close(descriptor) }

  /// Two connected ends, which trust each other in nothing: they don't wait for room, and receive no
  /// descriptors.
  static func pair() throws(File.Failure) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
    return (
      MessageSocket(ends[0], isOfParent: false), MessageSocket(ends[1], isOfParent: false)
    )
  }

  /// The descriptor for a program that is to have this end.
  var number: Int32 { descriptor }

  /// Sends a message: to the program that started this one as soon as there is room for it, to others
  /// only where there is. Memory can be sent once.
  package func send(_ bytes: [UInt8], memory: SharedMemory? = nil) -> Delivery {
    guard let memory else { return send(bytes, descriptor: -1) }
    return memory.share { send(bytes, descriptor: $0) }
  }

  /// Sends a message with a file.
  package func send(_ bytes: [UInt8], file: File) -> Delivery {
    send(bytes, descriptor: file.descriptor)
  }

  private func send(_ bytes: [UInt8], descriptor attached: Int32) -> Delivery {
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes else { return .unfit }
    while true {
      let sent = unsafe bytes.withUnsafeBytes { buffer in
        unsafe graphkit_send(
          descriptor, buffer.baseAddress!, buffer.count, attached, isOfParent ? 1 : 0)
      }
      if sent >= 0 { return sent == bytes.count ? .sent : .gone }
      let code = errno
      // Descriptors that wait to be received are counted, too.
      if code == EAGAIN || code == ETOOMANYREFS { return .full }
      guard code == EINTR else { return .gone }
    }
  }

  /// The next message, waiting for so long at most; for ever where that is less than zero.
  package func receive(within milliseconds: Int32) -> Reception {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe Glibc.poll(&poll, 1, milliseconds) > 0 else { return .nothing }
    var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
    var attached: Int32 = -1
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      if isOfParent {
        unsafe graphkit_receive(descriptor, buffer.baseAddress!, buffer.count, &attached)
      } else {
        unsafe graphkit_receive(descriptor, buffer.baseAddress!, buffer.count, nil)
      }
    }
    let attachment = attached >= 0 ? Attachment(attached) : nil
    if count < 0, errno == EINTR { return .nothing }
    guard count > 0, count <= bytes.count else { return .closed }
    return .message(Array(bytes[..<count]), attachment)
  }
}
