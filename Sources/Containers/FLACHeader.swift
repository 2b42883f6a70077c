import GraphKitSystem
import Media

/// What the first block of a FLAC file says of its stream (RFC 9639, 8.2).
package struct FLACHeader: Equatable, Sendable {
  /// The most samples of a block, in each channel.
  let blockSize: Int
  /// Samples a second.
  package let sampleRate: Int
  let channels: Int
  /// Bits a sample.
  let bits: Int
  /// Samples of the whole stream in each channel; 0 where the header doesn't say.
  let sampleCount: Int

  /// What a file says that begins so; `nil` for all others.
  package init?(_ head: [UInt8]) {
    let data = MovieBytes(bytes: head)
    guard head.count >= 42, head.starts(with: "fLaC".utf8), head[4] & 0x7f == 0,
      let block = data.u16(8), let fields = data.integer(at: 18, bytes: 4),
      let count = data.integer(at: 22, bytes: 4)
    else { return nil }
    blockSize = data.u16(10) ?? block
    sampleRate = fields >> 12
    (channels, bits) = ((fields >> 9 & 7) + 1, (fields >> 4 & 31) + 1)
    sampleCount = (fields & 15) << 32 | count
    guard block > 0, sampleRate > 0 else { return nil }
  }
}

extension FLACHeader {
  /// The bytes that a block of so many samples takes at most: header, checksum, and of each channel a
  /// byte and its samples as they are, of which the side of two has one bit more. The header that
  /// follows shows whether the format changes.
  func longestFrame(of block: Int) -> Int {
    2 * FLACFrame.longestHeader + 2 + channels * (1 + (block * (bits + 1) + 7) / 8)
  }
}
