import Media

/// What a movie says of the PCM of a track (QuickTime File Format, "Sound sample descriptions").
struct PCMDescription {
  /// The four letters.
  let codec: String
  /// Where it begins, and how many bytes it has.
  let start: Int
  let size: Int
  /// Whether it is of the newer kind, which takes each frame for a packet (QuickTime File Format, "Sound
  /// Sample Description (Version 2)").
  let isOfFrames: Bool
  /// Whether the lowest byte of a sample comes first.
  let isLittleEndian: Bool
  private let bits: Int
  private let isFloat: Bool
  private let isSigned: Bool
  private let sampleRate: Int
  private let channels: Int
  private let speakers: Speakers?

  /// The format, where samples are as the machine has them.
  var format: AudioFormat? {
    guard isLittleEndian || bits == 8, (1...64).contains(channels), sampleRate > 0,
      let sample = sampleFormat
    else { return nil }
    return AudioFormat(sample, sampleRate: sampleRate, channels: channels, speakers: speakers)
  }

  /// Whether GStreamer's demuxer (1.22) takes the bytes of a sample in the wrong order: of these it
  /// doesn't read what says that the lowest comes first.
  var isMisread: Bool { isLittleEndian && ["fl32", "fl64", "in32"].contains(codec) }

  /// Reads the only description of a track; `nil` where there are several, or it isn't PCM.
  package init?(_ data: MovieBytes, _ track: MovieTrack) {
    guard let table = data.first("stsd", in: track.table), data.u32(table.content + 4) == 1,
      let entry = data.box(at: table.content + 8, limit: table.end),
      let version = data.u16(entry.start + 16)
    else { return nil }
    codec = entry.type
    (start, size, isOfFrames) = (entry.start, entry.end - entry.start, version == 2)
    if version == 2 {
      guard codec == "lpcm", let high = data.integer(at: entry.start + 40, bytes: 4),
        let low = data.u32(entry.start + 44), let channels = data.u32(entry.start + 48),
        let bits = data.u32(entry.start + 56), let flags = data.u32(entry.start + 60),
        data.u32(entry.start + 68) == 1, flags & 32 == 0
      else { return nil }
      let rate = Double(bitPattern: UInt64(high) << 32 | UInt64(low))
      (self.channels, self.bits) = (channels, bits)
      (isFloat, isSigned, isLittleEndian) = (flags & 1 != 0, flags & 4 != 0, flags & 2 == 0)
      sampleRate = rate == rate.rounded() ? Int(exactly: rate) ?? 0 : 0
      speakers = Self.speakers(data, Self.boxes(of: entry, after: 72))
      return
    }
    guard let channels = data.u16(entry.start + 24), let bits = data.u16(entry.start + 26),
      let rate = data.u32(entry.start + 32)
    else { return nil }
    (self.channels, sampleRate) = (channels, rate & 0xffff == 0 ? rate >> 16 : 0)
    if codec == "ipcm" || codec == "fpcm" {
      let inside = Self.boxes(of: entry, after: 36)
      guard let box = data.first("pcmC", in: inside),
        let order = data.integer(at: box.content + 4, bytes: 1),
        let bits = data.integer(at: box.content + 5, bytes: 1)
      else { return nil }
      (self.bits, isFloat, isSigned) = (bits, codec == "fpcm", true)
      isLittleEndian = order & 1 == 1
      speakers = Self.positions(data, inside, count: channels)
      return
    }
    // The field says 16 of the longer ones.
    let length = ["sowt": bits, "raw ": bits, "in24": 24, "in32": 32, "fl32": 32, "fl64": 64][codec]
    guard let length else { return nil }
    self.bits = length
    (isFloat, isSigned) = (codec.hasPrefix("fl"), codec != "raw ")
    let inside = Self.boxes(of: entry, after: version == 1 ? 52 : 36)
    isLittleEndian = codec == "sowt" || Self.saysLittleEndian(data, inside)
    speakers = Self.speakers(data, inside)
  }

  /// What lies after the fields of a description.
  private static func boxes(of entry: MovieBox, after fields: Int) -> MovieBox {
    MovieBox(
      type: entry.type, start: entry.start, content: entry.start + fields, end: entry.end)
  }

  private static func speakers(_ data: MovieBytes, _ inside: MovieBox) -> Speakers? {
    guard let box = data.first("chan", in: inside), let tag = data.u32(box.content + 4),
      let bitmap = data.u32(box.content + 8)
    else { return nil }
    return Speakers(layoutTag: tag, bitmap: bitmap)
  }

  /// The speakers where each channel says its own (ISO/IEC 14496-12, 12.2.4).
  private static func positions(
    _ data: MovieBytes, _ inside: MovieBox, count: Int
  ) -> Speakers? {
    guard let box = data.first("chnl", in: inside), data.version(box) == 0,
      data.u16(box.content + 4) == 0x100, box.end - box.content >= 6 + count
    else { return nil }
    let positions = (0..<count).compactMap { data.integer(at: box.content + 6 + $0, bytes: 1) }
    return Speakers(positions: positions.map { UInt8(clamping: $0) })
  }

  private var sampleFormat: SampleFormat? {
    switch (bits, isFloat) {
    case (8, false): isSigned ? nil : .u8
    case (16, false): isSigned ? .s16 : nil
    case (24, false): isSigned ? .s24 : nil
    case (32, false): isSigned ? .s32 : nil
    case (32, true): .f32
    case (64, true): .f64
    default: nil
    }
  }

  private static func saysLittleEndian(
    _ data: MovieBytes, _ extensions: MovieBox
  ) -> Bool {
    let order = data.first("wave", "enda", in: extensions) ?? data.first("enda", in: extensions)
    return order.flatMap { data.u16($0.content) } == 1
  }
}
