import GraphKitSystem
import Media

/// A file that is written from its beginning to its end, but for a head that is written again when
/// all is known.
struct AppendedFile: Sendable {
  private let file: any MovieDestination & Sendable
  private var head: [UInt8] = []
  private var pending: [UInt8] = []
  /// The size of what is written or pending.
  private(set) var size = 0
  private var sum = Checksum()

  /// A few seconds of most streams: fewer calls of the system, and not much to lose.
  private static let blockSize = 1 << 14

  init(_ file: any MovieDestination & Sendable) { self.file = file }

  /// Writes what the file begins with.
  mutating func begin(_ head: [UInt8]) throws {
    (self.head, size) = (head, head.count)
    try file.write(head.span, at: 0)
  }

  /// Writes bytes after those that are there.
  mutating func append(_ bytes: Span<UInt8>) throws {
    pending.append(copying: bytes)
    size += bytes.count
    if pending.count >= Self.blockSize { try flush() }
  }

  /// Writes what is pending.
  mutating func flush() throws {
    guard !pending.isEmpty else { return }
    let bytes = pending
    try file.write(bytes.span, at: size - bytes.count)
    sum.add(bytes.span)
    pending.removeAll(keepingCapacity: true)
  }

  /// Completes the file, with some bytes of its head in place of others. What comes before is on the
  /// disk by then, where that matters.
  mutating func finish(replacing bytes: [UInt8], at offset: Int) throws {
    try flush()
    try file.flush()
    guard !bytes.isEmpty else { return }
    head.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try file.write(bytes.span, at: offset)
  }

  /// What a file has otherwise than it was written.
  func faults(of path: String) throws -> [String] {
    let found = try File(path)
    guard found.size == size else { return ["it has \(found.size) of \(size) bytes"] }
    guard try found.read(at: 0, count: head.count) == head else { return ["its head is another"] }
    var (offset, sum) = (head.count, Checksum())
    while offset < size {
      let bytes = try found.read(at: offset, count: min(1 << 20, size - offset))
      guard !bytes.isEmpty else { return ["it can't be read from byte \(offset) on"] }
      sum.add(bytes.span)
      offset += bytes.count
    }
    return sum == self.sum ? [] : ["its audio has other bytes"]
  }
}
