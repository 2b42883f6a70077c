import Media

/// The first block of a FLAC stream, without its head (RFC 9639, 8.2), while the stream is written.
struct FLACStreamBlock: Sendable {
  private(set) var bytes: [UInt8]
  /// What the header of a copy's stream says of all of it.
  private let stated: (count: Int, digest: [UInt8])
  private let digest: @Sendable () -> (bytes: [UInt8], byteCount: Int)
  /// The sizes of the smallest and the largest frame.
  private var sizes: (least: Int, most: Int)?

  /// The block of a stream whose length isn't known yet. Its first header is the block, whose head has
  /// four bytes; throws where it isn't there.
  init(_ settings: AudioFileSettings) throws(NodeError) {
    guard let header = settings.headers.first, header.count == 38 else {
      throw NodeError(
        "the stream of FLAC comes without its header", remedy: "decode it and encode it again")
    }
    bytes = Array(header[4...])
    digest = settings.digest
    let low = bytes[14..<18].reduce(0) { $0 << 8 | Int($1) }
    stated = (Int(bytes[13] & 15) << 32 | low, Array(bytes[18..<34]))
    set(length: 0, digest: Self.noDigest)
  }

  private static let noDigest = [UInt8](repeating: 0, count: 16)

  private mutating func set(length: Int, digest: [UInt8]) {
    bytes[13] = bytes[13] & 0xf0 | UInt8(truncatingIfNeeded: length >> 32) & 15
    for index in 0..<4 {
      bytes[14 + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
    }
    bytes.replaceSubrange(18..<34, with: digest)
  }

  /// Takes the size of a frame.
  mutating func note(_ size: Int) {
    let known = sizes ?? (size, size)
    sizes = (min(known.least, size), max(known.most, size))
  }

  /// Bytes that a sample of each channel has, as the checksum counts them.
  private var bytesPerFrame: Int {
    let channels = Int(bytes[12] >> 1 & 7) + 1
    let bits = (Int(bytes[12] & 1) << 4 | Int(bytes[13] >> 4)) + 1
    return channels * ((bits + 7) / 8)
  }

  /// Says how long the stream is. Its checksum is stated where it is of all of these samples: of those
  /// that were encoded, or of the stream that is copied.
  mutating func finish(at end: Int) {
    let encoded = digest()
    let known =
      encoded.byteCount == end * bytesPerFrame && encoded.bytes.count == 16
      ? encoded.bytes : end == stated.count ? stated.digest : Self.noDigest
    set(length: end, digest: known)
    guard let sizes else { return }
    for (offset, size) in [(4, sizes.least), (7, sizes.most)] {
      bytes.replaceSubrange(
        offset..<offset + 3, with: [16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) })
    }
  }
}
