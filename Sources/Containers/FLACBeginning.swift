import GraphKitSystem
import Media

/// How a FLAC file begins: what its header says, and what its first two frames do.
package struct FLACBeginning: Sendable {
  private let header: FLACHeader
  /// How many samples the first frame has, in each channel; 0 where there is none.
  private let block: Int
  /// Whether the headers of frames count as they say, by which a parser knows when a frame in the
  /// middle begins: some programs had them count samples.
  package let isNumbered: Bool

  /// Looks into a file that begins with some bytes; `nil` where it isn't FLAC.
  package init?(_ file: File, _ start: [UInt8]) {
    guard let header = FLACHeader(start) else { return nil }
    self.header = header
    let bytes = Self.firstFrame(of: file).flatMap {
      try? file.read(at: $0, count: Self.longestFrame)
    }
    let frame = bytes.flatMap { FLACFrame($0.span) }
    block = frame?.blockSize ?? 0
    isNumbered = Self.isNumbered(frame, in: bytes ?? [])
  }

  private static func isNumbered(_ frame: FLACFrame?, in bytes: [UInt8]) -> Bool {
    guard let frame, frame.number == 0, let place = FLACFrame.secondFrame(in: bytes.span),
      let next = FLACFrame(bytes.span.extracting(droppingFirst: place)),
      frame.isVariable == next.isVariable
    else { return false }
    return next.number == (frame.isVariable ? frame.blockSize : 1)
  }

  /// Has GStreamer's parser read frames of all sizes that they may have.
  ///
  /// `flacparse` (1.22) looks for the end of a frame only where the header's sizes of frames let it
  /// be, which some programs write wrongly: it then drops frames. No frame is longer than a block
  /// without any compression (RFC 9639, 9.2). Where something else follows a frame, such as the header
  /// of a file that was joined to the first, the parser takes as much for a part of it, so the limit
  /// is as low as it may be; the first frame may have more samples than the header says. Where frames
  /// of another format follow, the decoder gets the first of them.
  package var edit: StreamEdit? {
    guard let rate = Int32(exactly: header.sampleRate) else { return nil }
    var edit = StreamEdit()
    edit.start = MediaTime(value: 0, timescale: rate)
    edit.keepsSegments = true
    // A count needs the frame before.
    edit.flacNumbers = isNumbered ? .asStated : .doubtful
    let most = header.longestFrame(of: max(header.blockSize, block))
    edit.patches[12] = [0, 0, 0] + [16, 8, 0].map { UInt8(truncatingIfNeeded: most >> $0) }
    return edit
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
