import CGraphKitSystem
import Glibc

/// Memory that this process shares with another, by a descriptor that one has sent to the other. It has
/// one size for good: neither can take it away from under the other. Unmapped with its last use.
///
/// What the other process writes may change at any time: only who wouldn't mind reads it.
@safe package final class SharedMemory: Sendable {
  /// Its bytes.
  package let byteCount: Int
  private let address: UInt
  /// Until it has been sent: a process may have few open at a time, and memory stays without.
  private let descriptor: Monitor<Int32?>

  /// Fresh memory, of one byte or more.
  package convenience init(byteCount: Int) throws(File.Failure) {
    // Closed in programs that are started (`MFD_CLOEXEC`), and its size can be settled
    // (`MFD_ALLOW_SEALING`).
    let descriptor = unsafe memfd_create("graphkit-samples", 1 | 2)
    guard descriptor >= 0 else { throw .last }
    guard ftruncate(descriptor, byteCount) == 0, graphkit_seal_size(descriptor) == 0 else {
      defer { close(descriptor) }
      throw .last
    }
    try self.init(descriptor, byteCount)
  }

  /// Memory of another process, by a descriptor that this one then owns.
  package convenience init(mapping descriptor: Int32) throws(File.Failure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else {
      close(descriptor)
      throw .saying("no shared memory")
    }
    try self.init(descriptor, Int(status.st_size))
    closeDescriptor()
  }

  private init(_ descriptor: Int32, _ byteCount: Int) throws(File.Failure) {
    let mapped = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard unsafe mapped != MAP_FAILED, let mapped = unsafe mapped else {
      let failure = File.Failure.last
      close(descriptor)
      throw failure
    }
    (self.descriptor, self.byteCount) = (Monitor(descriptor), byteCount)
    address = UInt(bitPattern: mapped)
  }

  deinit {
    unsafe munmap(start, byteCount)
    closeDescriptor()
  }

  private func closeDescriptor() {
    if let descriptor = descriptor.withLock({ $0.take() }) { close(descriptor) }
  }

  /// The memory, for those that see to its bounds themselves.
  @unsafe package var start: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(bitPattern: address)!
  }

  /// Has `body` send the descriptor to the other process, which is possible once.
  func share(_ body: (Int32) -> MessageSocket.Delivery) -> MessageSocket.Delivery {
    guard let descriptor = descriptor.withLock({ $0.take() }) else { return .unfit }
    defer { close(descriptor) }
    return body(descriptor)
  }

  /// A copy of some of the bytes, as they are at this moment; `nil` where the memory has no such part.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard contains(offset, count) else { return nil }
    return unsafe Array(UnsafeRawBufferPointer(start: start + offset, count: count))
  }

  /// Puts bytes into the memory; `false`, and nothing changes, where it has no room for them.
  package func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard contains(offset, bytes.count) else { return false }
    unsafe bytes.withUnsafeBytes { source in
      guard let address = source.baseAddress else { return }
      unsafe (start + offset).copyMemory(from: address, byteCount: source.count)
    }
    return true
  }

  private func contains(_ offset: Int, _ count: Int) -> Bool {
    offset >= 0 && count >= 0 && count <= byteCount && offset <= byteCount - count
  }
}
