import Media

/// What a WAV file's format chunk says (Multimedia Programming Interface and Data Specifications 1.0,
/// "Waveform audio file format", and the extensible format of 1998).
struct WAVFormat {
  let tag: Int
  let channels: Int
  let sampleRate: Int
  /// Bytes of a block, which is a frame of PCM.
  let blockSize: Int
  let bits: Int
  /// The speakers of the channels; none where that isn't said.
  let speakers: Speakers

  /// The bytes that are looked at.
  static let byteCount = 40

  /// Reads the contents of a chunk, or their beginning; `nil` where they are too few.
  init?(_ chunk: [UInt8]) {
    guard chunk.count >= 16 else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(chunk[offset + $1]) << (8 * $1) }
    }
    let outer = number(0, 2)
    // The extensible format's own tag stands at the start of its GUID.
    let isExtensible = outer == 0xfffe && chunk.count >= Self.byteCount
    tag = isExtensible ? number(24, 2) : outer
    speakers = Speakers(rawValue: isExtensible ? UInt32(number(20, 4)) : 0)
    (channels, sampleRate) = (number(2, 2), number(4, 4))
    (blockSize, bits) = (number(12, 2), number(14, 2))
  }

  /// The format, where it is PCM.
  var pcm: AudioFormat? {
    guard (1...64).contains(channels), (1...Int(Int32.max)).contains(sampleRate),
      let sample = sampleFormat, blockSize == sample.bytesPerSample * channels
    else { return nil }
    return AudioFormat(
      sample, sampleRate: sampleRate, channels: channels, speakers: speakers)
  }

  /// Whether the audio is MPEG's, AC-3 or DTS: packets of their own lengths.
  var holdsPackets: Bool { [0x50, 0x55, 0x2000, 0x2001].contains(tag) }

  /// Bytes of a sample of PCM, where they are more than any has.
  var hugeSample: Int? {
    guard [1, 3].contains(tag) else { return nil }
    let size = blockSize / max(1, channels)
    return size > 8 ? size : nil
  }

  private var sampleFormat: SampleFormat? {
    switch (tag, (bits + 7) / 8) {
    case (1, 1): .u8
    case (1, 2): .s16
    case (1, 3): .s24
    case (1, 4): .s32
    case (3, 4): .f32
    case (3, 8): .f64
    default: nil
    }
  }
}
