import GraphKit

/// audiowaveform's JSON data file, byte for byte as its version 1.10 prints it: the keys in its
/// order, no spaces, and a line's end.
///
/// Source: `doc/DataFormat.md` of audiowaveform 1.10, "JSON data format".
enum PeaksJSON {
  /// Writes a file.
  static func write(_ peaks: Peaks, bits: Int, to file: inout WholeFile) throws(NodeError) {
    let format = peaks.format
    let fields = [
      ("version", 2), ("channels", format.channels), ("sample_rate", format.sampleRate),
      ("samples_per_pixel", format.samplesPerPixel), ("bits", bits), ("length", peaks.count),
    ]
    let head = fields.map { name, value in "\"\(name)\":\(value)," }.joined()
    var bytes = Array("{\(head)\"data\":[".utf8)
    for index in peaks.values.indices {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(decimal: Peaks.value(peaks.values[index], bits: bits))
      guard bytes.count > 32_768 else { continue }
      try file.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try file.write(bytes + Array("]}\n".utf8))
  }
}

extension [UInt8] {
  /// Appends a number's digits.
  mutating func append(decimal number: Int16) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let magnitude = number.magnitude
    var divisor: UInt16 = 1
    while magnitude / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
      divisor /= 10
    }
  }
}
