import Media

/// Writes a FLAC file (RFC 9639): the first block of the stream, tags, a picture, and frames.
package struct FLACWriter: AudioFileWriter {
  private var file: AppendedFile
  private var block: [UInt8]
  /// The sizes of the smallest and the largest frame.
  private var sizes: (least: Int, most: Int)?

  /// Begins a file. The stream's header is the first block without its magic number, whose own head
  /// is four bytes; throws where it isn't there.
  package init(_ settings: AudioFileSettings, to destination: any MovieDestination & Sendable)
    throws
  {
    guard let header = settings.headers.first, header.count == 38 else {
      throw NodeError(
        "the stream of FLAC comes without its header", remedy: "decode it and encode it again")
    }
    block = Array(header[4...])
    // How long it is, is known at the end; until then it is said to be unknown.
    let (count, digest) = Self.length(of: block)
    stated = (count, digest)
    Self.set(length: 0, digest: Self.noDigest, in: &block)
    var head = Array("fLaC".utf8) + [0, 0, 0, 34] + block
    let comments = VorbisComment(settings.tags, kept: Array(settings.headers.dropFirst()))
    head += Self.metadata(4, comments.bytes, isLast: settings.tags.cover.isEmpty)
    if !settings.tags.cover.isEmpty {
      head += Self.metadata(6, FLACPicture.block(settings.tags.cover), isLast: true)
    }
    file = AppendedFile(destination)
    try file.begin(head)
  }

  /// What a copy's header says of all of the stream: its length, and the checksum of its samples.
  private let stated: (count: Int, digest: [UInt8])
  private static let noDigest = [UInt8](repeating: 0, count: 16)

  private static func metadata(_ type: UInt8, _ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
    return [isLast ? 0x80 | type : type] + size + bytes
  }

  /// The number of frames in 36 bits, and the checksum, as the block has them (RFC 9639, 8.2).
  private static func length(of block: [UInt8]) -> (Int, [UInt8]) {
    let low = block[14..<18].reduce(0) { $0 << 8 | Int($1) }
    return (Int(block[13] & 15) << 32 | low, Array(block[18..<34]))
  }

  private static func set(length: Int, digest: [UInt8], in block: inout [UInt8]) {
    block[13] = block[13] & 0xf0 | UInt8(truncatingIfNeeded: length >> 32) & 15
    for index in 0..<4 {
      block[14 + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
    }
    block.replaceSubrange(18..<34, with: digest)
  }

  package mutating func append(_ packet: Span<UInt8>, frames: Int) throws {
    let known = sizes ?? (packet.count, packet.count)
    sizes = (min(known.least, packet.count), max(known.most, packet.count))
    try file.append(packet)
  }

  package mutating func flush() throws { try file.flush() }

  package mutating func finish(at end: Int) throws {
    let isWhole = end == stated.count
    Self.set(length: end, digest: isWhole ? stated.digest : Self.noDigest, in: &block)
    if let sizes {
      for (offset, size) in [(4, sizes.least), (7, sizes.most)] {
        block.replaceSubrange(
          offset..<offset + 3, with: [16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) })
      }
    }
    try file.finish(replacing: block, at: 8)
  }

  package var finishByteCount: Int { 1 << 15 }

  package func faults(of path: String) throws -> [String] { try file.faults(of: path) }
}

/// A picture as FLAC files and Vorbis comments have it (RFC 9639, 8.8).
enum FLACPicture {
  /// The block of a front cover, without its head. How large the picture is, readers find in it.
  static func block(_ picture: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let type = Array((picture.first == 0x89 ? "image/png" : "image/jpeg").utf8)
    return number(3) + number(type.count) + type + number(0)
      + [UInt8](repeating: 0, count: 16) + number(picture.count) + picture
  }
}
