import GStreamer

/// What an MP3 file's first frame says of the sound that its encoder was given: the Xing header
/// and the LAME tag behind it (the "Info tag" specification of Gabriel Bouvigne, revision 1).
struct GaplessHeader: Equatable {
  /// Frames of MP3, without the one that holds this header.
  var frames: Int
  /// Samples that the encoder put in front, and behind.
  var delay: Int
  var padding: Int
  var sampleRate: Int
  var samplesPerFrame: Int
  /// Bytes from this header's frame to the end, where it says.
  var size: Int?
  /// Where that end lies in the file.
  var end: Int?
  /// Whether more sound follows what the header counts: files that were joined byte by byte.
  var isFollowed = false

  /// A decoder's own delay: it overlaps each frame with the one before.
  static let decoderDelay = 529

  init?(_ file: File) {
    guard let head = try? file.read(at: 0, count: 10) else { return nil }
    var offset = 0
    if head.count == 10, head.starts(with: "ID3".utf8) {
      // The size is written in four times seven bits (ID3v2, 3.1).
      offset = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) }
    }
    guard let bytes = try? file.read(at: offset, count: 256) else { return nil }
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
  init?(frame: [UInt8]) {
    let data = MovieBytes(bytes: frame)
    guard let word = data.u32(0), word >> 21 == 0x7ff, word >> 17 & 3 == 1 else { return nil }
    let (version, rate) = (word >> 19 & 3, word >> 10 & 3)
    guard version != 1, rate < 3 else { return nil }
    let isFirst = version == 3
    sampleRate = [44_100, 48_000, 32_000][rate] >> [2: 1, 0: 2, 3: 0][version, default: 0]
    samplesPerFrame = isFirst ? 1_152 : 576
    let isMono = word >> 6 & 3 == 3
    let tag = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    guard ["Xing", "Info"].contains(data.type(at: tag)), let flags = data.u32(tag + 4),
      flags & 1 == 1, let frames = data.u32(tag + 8)
    else { return nil }
    self.frames = frames
    if flags & 2 == 2 { size = data.u32(tag + 12) }
    let lengths = (flags & 2) * 2 + (flags & 4) * 25 + (flags & 8) / 2
    let name = tag + 12 + lengths
    guard ["LAME", "Lavf", "Lavc", "GOGO"].contains(data.type(at: name)),
      let gaps = data.integer(at: name + 21, bytes: 3)
    else { return nil }
    (delay, padding) = (gaps >> 12, gaps & 0xfff)
  }

  /// The part of the stream that was given to the encoder; `nil` where the numbers make no sense.
  var edit: StreamEdit? {
    let end = frames * samplesPerFrame - max(0, padding - Self.decoderDelay)
    guard delay + Self.decoderDelay < end, let scale = Int32(exactly: sampleRate) else {
      return nil
    }
    var edit = StreamEdit()
    edit.start = MediaTime(value: Int64(delay + Self.decoderDelay), timescale: scale)
    // What follows has no count of its own that would be read.
    if !isFollowed {
      edit.end = MediaTime(value: Int64(end), timescale: scale)
      edit.cutsLastPacket = true
    }
    edit.packetFrames = samplesPerFrame
    return edit
  }
}
