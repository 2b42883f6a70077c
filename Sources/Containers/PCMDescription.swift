import Media

/// What a movie says of the PCM of a track (QuickTime File Format, "Sound sample descriptions").
struct PCMDescription {
  /// The four letters.
  let codec: String
  /// Whether the lowest byte of a sample comes first.
  let isLittleEndian: Bool
  private let bits: Int
  private let isFloat: Bool
  private let isSigned: Bool
  private let sampleRate: Int
  private let channels: Int

  /// The format, where samples are as the machine has them.
  var format: AudioFormat? {
    guard isLittleEndian || bits == 8, (1...64).contains(channels), sampleRate > 0,
      let sample = sampleFormat
    else { return nil }
    return AudioFormat(sample, sampleRate: sampleRate, channels: channels)
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
      return
    }
    guard let channels = data.u16(entry.start + 24), let bits = data.u16(entry.start + 26),
      let rate = data.u32(entry.start + 32)
    else { return nil }
    (self.channels, sampleRate) = (channels, rate & 0xffff == 0 ? rate >> 16 : 0)
    if codec == "ipcm" || codec == "fpcm" {
      let inside = MovieBox(
        type: codec, start: entry.start, content: entry.start + 36, end: entry.end)
      guard let box = data.first("pcmC", in: inside),
        let order = data.integer(at: box.content + 4, bytes: 1),
        let bits = data.integer(at: box.content + 5, bytes: 1)
      else { return nil }
      (self.bits, isFloat, isSigned) = (bits, codec == "fpcm", true)
      isLittleEndian = order & 1 == 1
      return
    }
    // The field says 16 of the longer ones.
    let length = ["sowt": bits, "raw ": bits, "in24": 24, "in32": 32, "fl32": 32, "fl64": 64][codec]
    guard let length else { return nil }
    self.bits = length
    (isFloat, isSigned) = (codec.hasPrefix("fl"), codec != "raw ")
    isLittleEndian = codec == "sowt" || Self.saysLittleEndian(data, entry, version)
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
    _ data: MovieBytes, _ entry: MovieBox, _ version: Int
  ) -> Bool {
    let extensions = MovieBox(
      type: entry.type, start: entry.start, content: entry.start + (version == 1 ? 52 : 36),
      end: entry.end)
    let order = data.first("wave", "enda", in: extensions) ?? data.first("enda", in: extensions)
    return order.flatMap { data.u16($0.content) } == 1
  }
}
