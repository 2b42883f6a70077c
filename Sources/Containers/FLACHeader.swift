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

  /// Has GStreamer's parser read frames of all sizes that they may have.
  ///
  /// `flacparse` (1.22) looks for the end of a frame only where the header's sizes of frames let it
  /// be, which some programs write wrongly: it then drops frames. No frame is longer than a block
  /// without any compression (RFC 9639, 9.2). Where something else follows a frame, such as the header
  /// of a file that was joined to the first, the parser takes as much for a part of it, so the limit
  /// is as low as it may be. Where frames of another format follow, the decoder gets the first of them.
  ///
  /// `block` is how many samples the first frame has, which may be more than the header says.
  package func edit(block: Int) -> StreamEdit? {
    guard let rate = Int32(exactly: sampleRate) else { return nil }
    var edit = StreamEdit()
    edit.start = MediaTime(value: 0, timescale: rate)
    edit.keepsSegments = true
    edit.flacNumbers = .doubtful
    let most = longestFrame(of: max(blockSize, block))
    edit.patches[12] = [0, 0, 0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: most >> $0) }
    return edit
  }
}

extension FLACHeader {
  /// The bytes that a block of so many samples takes at most: header, checksum, and of each channel a
  /// byte and its samples as they are, of which the side of two has one bit more. The header that
  /// follows shows whether the format changes.
  private func longestFrame(of block: Int) -> Int {
    2 * FLACFrame.longestHeader + 2 + channels * (1 + (block * (bits + 1) + 7) / 8)
  }

  /// What is to be done to a file that begins with some bytes; `nil` where it isn't FLAC.
  package static func edit(of file: File, _ start: [UInt8]) -> StreamEdit? {
    guard let header = FLACHeader(start) else { return nil }
    let bytes = firstFrame(of: file).flatMap {
      try? file.read(at: $0, count: FLACFrame.longestHeader)
    }
    let frame = bytes.flatMap { FLACFrame($0.span) }
    return header.edit(block: frame?.blockSize ?? 0)
  }

  /// Whether the headers of frames in a file that begins with some bytes count as they say, by which
  /// a parser knows when a frame in the middle begins: some programs had them count samples.
  package static func numbersFrames(of file: File, _ start: [UInt8]) -> Bool {
    guard FLACHeader(start) != nil, let first = firstFrame(of: file),
      let bytes = try? file.read(at: first, count: longestFrame),
      let frame = FLACFrame(bytes.span), let place = FLACFrame.secondFrame(in: bytes.span),
      let next = FLACFrame(bytes.span.extracting(droppingFirst: place))
    else { return false }
    guard frame.isVariable == next.isVariable, frame.number == 0 else { return false }
    return next.number == (frame.isVariable ? frame.blockSize : 1)
  }

  /// More than a frame of stereo at 24 bits without any compression.
  private static let longestFrame = 1 << 18

  /// The offset of the first frame, after all blocks of metadata (RFC 9639, 8.1).
  private static func firstFrame(of file: File) -> Int? {
    var place = 4
    for _ in 0..<256 {
      guard let head = try? file.read(at: place, count: 4), head.count == 4 else { return nil }
      place += 4 + Int(head[1]) << 16 + Int(head[2]) << 8 + Int(head[3])
      if head[0] & 0x80 != 0 { return place }
    }
    return nil
  }
}
