import Media
import GraphKitSystem

/// What the first frame of an MP3 file says of the file: the Xing header and the LAME tag after it
/// (the "Info tag" specification of Gabriel Bouvigne, revision 1), or the VBRI header of the
/// Fraunhofer encoders. The frame holds no audio.
package struct GaplessHeader: Equatable {
  /// What an encoder added to the samples that it was given.
  struct Gap: Equatable {
    /// Frames of MP3, without the one that holds this header.
    var frames: Int
    /// Samples that the encoder put before them, and after.
    var delay: Int
    var padding: Int
  }

  /// What the encoder added; `nil` where the header doesn't say.
  var gap: Gap?
  var sampleRate: Int
  var samplesPerFrame: Int
  /// Bytes from this header's frame to the end, where it says.
  var size: Int?
  /// The offset of that end in the file.
  var end: Int?
  /// Whether more audio follows what the header counts: files that were joined byte by byte.
  var isFollowed = false

  /// A decoder's own delay: it overlaps each frame with the one before.
  static let decoderDelay = 529

  /// Bytes of a frame that are read.
  package static let longest = 256

  /// Reads the frame at an offset; left out, that after the file's tags.
  package init?(_ file: File, at start: Int? = nil) {
    let offset = start ?? ID3Tag.end(in: file)
    guard let bytes = try? file.read(at: offset, count: Self.longest) else { return nil }
    self.init(frame: bytes)
    end = size.map { offset + $0 }
    guard let size, let next = try? file.read(at: offset + size, count: 10) else { return }
    isFollowed = next.starts(with: "ID3".utf8) || Self.isFrame(next)
  }

  /// Whether bytes are the head of a frame of MP3 (ISO/IEC 11172-3, 2.4.1.3).
  private static func isFrame(_ bytes: [UInt8]) -> Bool {
    guard let word = MovieBytes(bytes: bytes).u32(0) else { return false }
    return word >> 21 == 0x7ff && word >> 17 & 3 == 1 && word >> 12 & 15 != 15
      && word >> 10 & 3 != 3
  }

  /// Reads the first frame of a file.
  package init?(frame: [UInt8]) {
    let data = MovieBytes(bytes: frame)
    guard let word = data.u32(0), word >> 21 == 0x7ff, word >> 17 & 3 == 1 else { return nil }
    let (version, rate) = (word >> 19 & 3, word >> 10 & 3)
    guard version != 1, rate < 3 else { return nil }
    let isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][rate] >> [2: 1, 0: 2, 3: 0][version, default: 0]
    samplesPerFrame = isFirst ? 1_152 : 576
    let isMono = word >> 6 & 3 == 3
    let tag = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    // Of the VBRI header only the place is the same for all.
    if data.type(at: 36) == "VBRI" { return }
    guard ["Xing", "Info"].contains(data.type(at: tag)), let flags = data.u32(tag + 4) else {
      return nil
    }
    if flags & 2 == 2 { size = data.u32(tag + 8 + (flags & 1) * 4) }
    let lengths = (flags & 1) * 4 + (flags & 2) * 2 + (flags & 4) * 25 + (flags & 8) / 2
    let name = tag + 8 + lengths
    guard flags & 1 == 1, let frames = data.u32(tag + 8),
      ["LAME", "Lavf", "Lavc", "GOGO"].contains(data.type(at: name)),
      let gaps = data.integer(at: name + 21, bytes: 3)
    else { return }
    gap = Gap(frames: frames, delay: gaps >> 12, padding: gaps & 0xfff)
  }

  /// The part of the stream that was given to the encoder; all of it where the numbers are missing,
  /// or make no sense.
  package var edit: StreamEdit? {
    guard let scale = Int32(exactly: sampleRate) else { return nil }
    var edit = StreamEdit()
    edit.start = MediaTime(value: 0, timescale: scale)
    edit.packetFrames = samplesPerFrame
    guard let gap else { return edit }
    let start = gap.delay + Self.decoderDelay
    let end = gap.frames * samplesPerFrame - max(0, gap.padding - Self.decoderDelay)
    guard start < end else { return edit }
    edit.start = MediaTime(value: Int64(start), timescale: scale)
    // What follows has no count of its own that would be read.
    if !isFollowed {
      edit.end = MediaTime(value: Int64(end), timescale: scale)
      edit.cutsLastPacket = true
    }
    return edit
  }
}

/// The tags at the beginning of a file (ID3v2.4.0, 3.1).
package enum ID3Tag {
  /// Where they end.
  package static func end(in file: File) -> Int {
    var offset = 0
    // A file of nothing but empty tags would be walked for long.
    for _ in 0..<100 {
      guard let head = try? file.read(at: offset, count: 10), head.count == 10,
        head.starts(with: "ID3".utf8)
      else { break }
      // The size is written in four times seven bits, and leaves out the head and its copy.
      let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
      offset += 10 + size + (head[5] & 0x10 == 0 ? 0 : 10)
    }
    return offset
  }
}
