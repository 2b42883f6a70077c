import GraphKit

/// audiowaveform's binary data file, versions 1 and 2.
///
/// Source: `doc/DataFormat.md` of audiowaveform 1.10, "Binary data format". All numbers are little
/// endian: version, flags, sampling rate, samples a point and number of points in four bytes each,
/// in version 2 the number of channels, too; then low and high value, channel by channel and point
/// by point.
enum PeaksDat {
  /// What stands before the values.
  struct Header: Equatable {
    var version: Int
    var bits: Int
    var format: PeaksFormat
    /// The number of points.
    var count: Int

    /// Bytes of the header itself.
    var byteCount: Int { version == 1 ? 20 : 24 }

    /// The bit of the flags that says that values have 8 bits.
    static let eightBits = UInt32(1)
  }

  /// Writes a file.
  static func write(
    _ peaks: Peaks, _ header: Header, to file: inout WholeFile
  ) throws(NodeError) {
    try file.write(header.bytes)
    var start = 0
    while start < peaks.values.count {
      let end = min(start + 16_384, peaks.values.count)
      let values = peaks.values.span.extracting(start..<end)
      try file.write(header.bits == 8 ? bytes(values) : pairsOfBytes(values))
      start = end
    }
  }

  private static func bytes(_ values: Span<Int16>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: values.count)
    var span = bytes.mutableSpan
    for index in values.indices {
      span[index] = UInt8(truncatingIfNeeded: Peaks.value(values[index], bits: 8))
    }
    return bytes
  }

  private static func pairsOfBytes(_ values: Span<Int16>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: values.count * 2)
    var span = bytes.mutableSpan
    for index in values.indices {
      span[index * 2] = UInt8(truncatingIfNeeded: values[index])
      span[index * 2 + 1] = UInt8(truncatingIfNeeded: values[index] >> 8)
    }
    return bytes
  }
}

extension PeaksDat.Header {
  /// The header of a file of points.
  init(of peaks: Peaks, bits: Int, version: Int) throws(NodeError) {
    (self.bits, self.version, format, count) = (bits, version, peaks.format, peaks.count)
    let numbers = [format.sampleRate, format.samplesPerPixel, count]
    guard numbers.allSatisfy({ Int32(exactly: $0) != nil }) else {
      throw NodeError(
        "a .dat file has no room for \(count) points of \(format.samplesPerPixel) samples",
        remedy: "give larger `samplesPerPixel`, or write JSON")
    }
  }

  /// The header's bytes in a file.
  var bytes: [UInt8] {
    var fields = [
      UInt32(version), bits == 8 ? Self.eightBits : 0, UInt32(format.sampleRate),
      UInt32(format.samplesPerPixel), UInt32(count),
    ]
    if version == 2 { fields.append(UInt32(format.channels)) }
    return fields.flatMap { field in
      (0..<4).map { UInt8(truncatingIfNeeded: field >> ($0 * 8)) }
    }
  }
}
