import GraphKitSystem
import Media

/// Reads the header of a Core Audio file (Apple, "Core Audio Format Specification 1.0"), which GStreamer
/// (1.22) doesn't read.
///
/// PCM with the lowest byte first is where the header says. That in the other order is read as an AIFF-C
/// file, and A-law and µ-law as a WAV file: the header before it is then a chunk that nothing looks at.
package struct CAFHeader {
  private let file: File
  private let codec: String
  private let flags: Int
  private let sampleRate: Int
  private let channels: Int
  private let speakers: Speakers?
  private let bits: Int
  /// Where the samples are, as far as the file reaches.
  private let samples: Range<Int>
  /// Where they end by the header; `nil` where it doesn't say.
  let statedEnd: Int?

  private static let mostChunks = 1_000

  /// The position of the file's PCM; `nil` where it is no such file, or holds something else.
  package static func locate(_ path: String, _ file: File) -> PCMLocation? {
    guard let header = CAFHeader(file), let format = header.nativeFormat else { return nil }
    var location = PCMLocation(
      path: path, format: format, offset: header.samples.lowerBound,
      frameCount: header.samples.count / format.bytesPerFrame)
    location.shortfall = header.statedEnd.flatMap {
      FileExtent.shortfall(of: path, file.size, stated: $0)
    }
    return location
  }

  /// How the file is to be read; `nil` for other files.
  package static func edit(of file: File) -> StreamEdit? {
    guard let header = CAFHeader(file), header.nativeFormat == nil else { return nil }
    return header.edit
  }

  /// The four letters of what is in a file that isn't read; `nil` for all others.
  static func unreadCodec(of file: File) -> String? {
    guard let header = CAFHeader(file), header.nativeFormat == nil, header.edit == nil else {
      return nil
    }
    return header.codec
  }

  /// Reads what comes before the samples; `nil` where it is no such file, or has none.
  init?(_ file: File) {
    guard let head = try? file.read(at: 0, count: 52), head.starts(with: "caff".utf8),
      head.count == 52
    else { return nil }
    let data = MovieBytes(bytes: head)
    guard data.type(at: 8) == "desc", let codec = data.type(at: 28), let flags = data.u32(32),
      let channels = data.u32(44), let bits = data.u32(48),
      let high = data.u32(20), let low = data.u32(24), let size = data.u32(36),
      // Of packets that aren't packed, or of several frames, no format here says so.
      size == channels * (codec == "lpcm" ? bits / 8 : 1) && data.u32(40) == 1
        || !Self.isPCM(codec),
      let range = Self.samples(of: file)
    else { return nil }
    let rate = Double(bitPattern: UInt64(high) << 32 | UInt64(low))
    (self.file, self.codec, self.flags) = (file, codec, flags)
    (self.channels, self.bits) = (channels, bits)
    speakers = range.speakers
    sampleRate = rate == rate.rounded() ? Int(exactly: rate) ?? 0 : 0
    statedEnd = range.end
    samples = range.start..<max(range.start, min(range.end ?? file.size, file.size))
  }

  private static func isPCM(_ codec: String) -> Bool { ["lpcm", "alaw", "ulaw"].contains(codec) }

  /// Where the samples begin, after the number of edits, and end by the header, and what is said before
  /// them of their speakers.
  private static func samples(of file: File) -> (start: Int, end: Int?, speakers: Speakers?)? {
    var (offset, speakers) = (8, Speakers?.none)
    // A file of nothing but chunks of no length would be walked for long.
    for _ in 0..<mostChunks {
      guard let bytes = try? file.read(at: offset, count: 12), bytes.count == 12 else { return nil }
      let head = MovieBytes(bytes: bytes)
      guard let type = head.type(at: 0), let high = head.u32(4), let low = head.u32(8) else {
        return nil
      }
      let (start, size) = (offset + 12, UInt64(high) << 32 | UInt64(low))
      if type == "data" {
        // Who can't go back in a file says -1.
        let end = size == .max || size > 1 << 60 ? nil : start + max(4, Int(size))
        return (start + 4, end, speakers)
      }
      if type == "chan" { speakers = Self.speakers(of: file, at: start) }
      guard size < 1 << 60 else { return nil }
      offset = start + Int(size)
    }
    return nil
  }

  private static func speakers(of file: File, at start: Int) -> Speakers? {
    let data = MovieBytes(bytes: (try? file.read(at: start, count: 8)) ?? [])
    guard let tag = data.u32(0), let bitmap = data.u32(4) else { return nil }
    return Speakers(layoutTag: tag, bitmap: bitmap)
  }

  private var isFloat: Bool { flags & 1 != 0 }
  private var isLittleEndian: Bool { flags & 2 != 0 }
  private var isSound: Bool {
    (1...64).contains(channels) && (1...Int(Int32.max)).contains(sampleRate)
  }

  /// The format, where samples are as the machine has them. Those of a byte are signed.
  private var nativeFormat: AudioFormat? {
    guard codec == "lpcm", isLittleEndian, isSound else { return nil }
    let sample: SampleFormat? =
      switch (bits, isFloat) {
      case (16, false): .s16
      case (24, false): .s24
      case (32, false): .s32
      case (32, true): .f32
      case (64, true): .f64
      default: nil
      }
    return sample.map {
      AudioFormat($0, sampleRate: sampleRate, channels: channels, speakers: speakers)
    }
  }

  /// The file with another head before its own, and one before its samples.
  private var edit: StreamEdit? {
    // Both formats have sizes of 32 bits.
    guard isSound, channels < 1 << 16, samples.upperBound < 1 << 31, !samples.isEmpty else {
      return nil
    }
    let (front, name): ([UInt8], [UInt8])
    switch (codec, bits, isFloat) {
    case ("lpcm", 8, false), ("lpcm", 16, false), ("lpcm", 24, false), ("lpcm", 32, false):
      guard !isLittleEndian || bits == 8 else { return nil }
      (front, name) = aiff
    case ("alaw", _, _): (front, name) = wav(tag: 6)
    case ("ulaw", _, _): (front, name) = wav(tag: 7)
    default: return nil
    }
    var edit = StreamEdit(insertions: [0: front, samples.lowerBound: name])
    if samples.upperBound < file.size {
      edit.fileEnd = samples.upperBound + front.count + name.count
    }
    return edit
  }

  /// What makes an AIFF-C file of it.
  private var aiff: ([UInt8], [UInt8]) {
    let frames = samples.count / max(1, channels * bits / 8)
    let padding = samples.lowerBound % 2
    var common = big(channels, 2) + big(frames, 4) + big(bits, 2) + extended(sampleRate)
    common += Array("NONE".utf8) + [0, 0]
    let front =
      Array("FORM".utf8) + big(samples.upperBound + padding + 60, 4) + Array("AIFC".utf8)
      + Array("COMM".utf8) + big(common.count, 4) + common
      + Array("JUNK".utf8) + big(samples.lowerBound, 4)
    let name =
      [UInt8](repeating: 0, count: padding) + Array("SSND".utf8) + big(samples.count + 8, 4)
      + [UInt8](repeating: 0, count: 8)
    return (front, name)
  }

  /// What makes a WAV file of samples of a byte.
  private func wav(tag: Int) -> ([UInt8], [UInt8]) {
    let padding = samples.lowerBound % 2
    let format =
      little(16, 4) + little(tag, 2) + little(channels, 2) + little(sampleRate, 4)
      + little(sampleRate * channels, 4) + little(channels, 2) + little(8, 2)
    let front =
      Array("RIFF".utf8) + little(samples.upperBound + padding + 44, 4) + Array("WAVEfmt ".utf8)
      + format + Array("JUNK".utf8) + little(samples.lowerBound, 4)
    let name =
      [UInt8](repeating: 0, count: padding) + Array("data".utf8) + little(samples.count, 4)
    return (front, name)
  }

  /// A whole number as one of 80 bits (IEEE 754, the extended format of the 68881).
  private func extended(_ value: Int) -> [UInt8] {
    let shift = UInt64(value).leadingZeroBitCount
    return big(16_383 + 63 - shift, 2) + big(Int(bitPattern: UInt(value) << UInt(shift)), 8)
  }

  private func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
