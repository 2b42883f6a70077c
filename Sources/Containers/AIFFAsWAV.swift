import Media
import GraphKitSystem

/// A-law, µ-law and unsigned samples in AIFF-C, which GStreamer's parser (1.22) refuses.
///
/// All are a byte a sample, as in a WAV file: so the file is read as one, whose own head is a chunk
/// that nothing looks at (Multimedia Programming Interface and Data Specifications 1.0, "Waveform
/// audio file format").
package enum AIFFAsWAV {
  /// How the file is to be read; `nil` for other files.
  package static func edit(of file: File) -> StreamEdit? {
    guard let law = AIFFExtent.compression(of: file),
      let tag = ["A-law": 6, "µ-law": 7, "unsigned samples": 1][law],
      let (common, _) = AIFFExtent.chunk("COMM", of: file),
      let head = try? file.read(at: common, count: 18), let rate = rate(head),
      let channels = MovieBytes(bytes: head).u16(0), channels > 0,
      tag != 1 || MovieBytes(bytes: head).u16(6) == 8, let samples = samples(of: file)
    else { return nil }
    var format = number(16, 4) + number(tag, 2) + number(channels, 2) + number(rate, 4)
    format += number(rate * channels, 4) + number(channels, 2) + number(8, 2)
    let size = Array("RIFF".utf8) + number(28 + samples.upperBound, 4)
    let room = Array("JUNK".utf8) + number(samples.lowerBound, 4)
    let front = size + Array("WAVEfmt ".utf8) + format + room
    // Chunks begin at even places.
    let padding = [UInt8](repeating: 0, count: samples.lowerBound % 2)
    let name = padding + Array("data".utf8) + number(samples.count, 4)
    var edit = StreamEdit(insertions: [0: front, samples.lowerBound: name])
    if samples.upperBound < file.size {
      edit.fileEnd = samples.upperBound + front.count + name.count
    }
    return edit
  }

  /// Where the samples are, as far as the file reaches.
  private static func samples(of file: File) -> Range<Int>? {
    guard let (start, length) = AIFFExtent.chunk("SSND", of: file),
      let bytes = try? file.read(at: start, count: 4), let skipped = MovieBytes(bytes: bytes).u32(0)
    else { return nil }
    let first = start + 8 + skipped
    let end = AIFFExtent.end(of: file) == nil ? file.size : min(start + length, file.size)
    return first < end && end < 1 << 31 ? first..<end : nil
  }

  /// A number of 80 bits (IEEE 754, the extended format of the 68881), where it is a whole one that
  /// can be a rate.
  private static func rate(_ common: [UInt8]) -> Int? {
    guard common.count == 18 else { return nil }
    let exponent = Int(common[8]) << 8 | Int(common[9])
    let fraction = common[10..<18].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let shift = 16_383 + 63 - exponent
    guard (33...63).contains(shift), fraction << (64 - shift) == 0 else { return nil }
    let rate = Int(fraction >> UInt64(shift))
    return rate > 0 ? rate : nil
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
