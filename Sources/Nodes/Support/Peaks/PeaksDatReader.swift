import GraphKit

extension PeaksDat.Header {
  /// The most channels that a file is believed to have.
  static let mostChannels = 64

  /// Reads a file's header, and makes sure that the file is just as long as it says.
  init(reading file: InputFile) throws(NodeError) {
    let bytes = try file.bytes(at: 0, count: 24)
    let fields = stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { start in
      (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << ($1 * 8) }
    }
    version = Int(fields.first ?? 0)
    guard version == 1 || version == 2 else {
      throw .badPeaks(file, "is no file of points: it has neither version 1 nor 2")
    }
    guard fields.count >= version + 4 else {
      throw .badPeaks(file, "ends at byte \(file.byteCount), within its header")
    }
    guard fields[1] <= Self.eightBits else {
      throw .badPeaks(file, "has flags of no meaning: \(fields[1])")
    }
    bits = fields[1] == Self.eightBits ? 8 : 16
    count = Int(fields[4])
    format = PeaksFormat(
      sampleRate: Int(fields[2]), samplesPerPixel: Int(fields[3]),
      channels: version == 1 ? 1 : Int(fields[5]))
    try format.check(in: file)
    let wanted = byteCount + count * format.valuesPerPoint * bits / 8
    guard wanted == file.byteCount else {
      throw .badPeaks(
        file, "has \(file.byteCount) bytes, but its header speaks of \(wanted) for \(count) points")
    }
  }

  /// Reads some of the values.
  func peaks(_ values: Range<Int>, of file: InputFile) throws(NodeError) -> Peaks {
    let size = bits / 8
    let bytes = try file.bytes(
      at: byteCount + values.lowerBound * size, count: values.count * size)
    guard bytes.count == values.count * size else {
      throw .badPeaks(file, "has become shorter than it was when the graph was checked")
    }
    guard bits == 16 else {
      return Peaks(format, values: bytes.map { Int16(Int8(bitPattern: $0)) * 256 })
    }
    return Peaks(
      format,
      values: values.indices.map { index in
        let place = (index - values.lowerBound) * 2
        return Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      })
  }
}

extension PeaksFormat {
  /// Makes sure that a file's numbers are ones that audio can have.
  func check(in file: InputFile) throws(NodeError) {
    let numbers = [("sampling rate", sampleRate), ("number of samples a point", samplesPerPixel)]
    for (name, number) in numbers where !(1...Int(Int32.max)).contains(number) {
      throw .badPeaks(file, "has a \(name) of \(number)")
    }
    guard (1...PeaksDat.Header.mostChannels).contains(channels) else {
      throw .badPeaks(
        file, "has \(channels) channels, not 1 to \(PeaksDat.Header.mostChannels)")
    }
  }
}
