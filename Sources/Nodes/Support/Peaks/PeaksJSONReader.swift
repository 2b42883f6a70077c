import GraphKit

/// Reads audiowaveform's JSON data file, block by block: one object whose values are whole numbers,
/// but for `data`, which is a list of them. Nothing else is taken.
struct PeaksJSONReader {
  private let file: InputFile
  private let byteCount: Int
  private var block: [UInt8] = []
  /// Where the block begins in the file, and the next byte in the block.
  private var blockStart = 0
  private var index = 0
  private var fields: [String: Int] = [:]
  private var values: [Int16]?

  private static let names = [
    "version", "channels", "sample_rate", "samples_per_pixel", "bits", "length",
  ]

  init(_ file: InputFile) {
    self.file = file
    byteCount = file.byteCount
  }

  /// Reads the whole file.
  mutating func read() throws(NodeError) -> Peaks {
    try expect("{")
    repeat {
      let name = try name()
      try expect(":")
      try readValue(of: name)
    } while try isFollowedByMore(before: "}")
    if let byte = try peek() { throw unexpected(byte, "the end of the file") }
    return try peaks()
  }

  private mutating func readValue(of name: String) throws(NodeError) {
    if name == "data", values == nil {
      values = []
      try readData()
    } else if Self.names.contains(name), fields[name] == nil {
      fields[name] = try number()
    } else {
      let isKnown = name == "data" || Self.names.contains(name)
      throw .badPeaks(file, isKnown ? "has `\(name)` twice" : "has an unknown key, `\(name)`")
    }
  }

  private mutating func readData() throws(NodeError) {
    try expect("[")
    if try take("]") { return }
    var data: [Int16] = []
    repeat {
      let number = try number()
      guard let value = Int16(exactly: number) else {
        throw .badPeaks(file, "has the value \(number), which has no 16 bits")
      }
      data.append(value)
    } while try isFollowedByMore(before: "]")
    values = data
  }

  private func peaks() throws(NodeError) -> Peaks {
    let version = try field("version")
    guard version == 1 || version == 2 else {
      throw .badPeaks(file, "has version \(version), not 1 or 2")
    }
    // Files of version 1 came before there were several channels.
    let channels = version == 1 ? fields["channels"] ?? 1 : try field("channels")
    let format = PeaksFormat(
      sampleRate: try field("sample_rate"), samplesPerPixel: try field("samples_per_pixel"),
      channels: channels)
    try format.check(in: file)
    guard let values else { throw .badPeaks(file, "has no `data`") }
    let length = try field("length")
    let (wanted, isHuge) = length.multipliedReportingOverflow(by: format.valuesPerPoint)
    guard !isHuge, wanted == values.count else {
      throw .badPeaks(
        file,
        "has \(values.count) values, which is not a low and a high one for each channel of "
          + "\(length) points")
    }
    return Peaks(format, values: try scaled(values))
  }

  private func scaled(_ values: [Int16]) throws(NodeError) -> [Int16] {
    switch try field("bits") {
    case 16: return values
    case 8:
      if let value = values.first(where: { Int8(exactly: $0) == nil }) {
        throw .badPeaks(file, "has the value \(value), which has no 8 bits")
      }
      return values.map { $0 * 256 }
    case let bits: throw .badPeaks(file, "has values of \(bits) bits, not 8 or 16")
    }
  }

  private func field(_ name: String) throws(NodeError) -> Int {
    guard let value = fields[name] else { throw .badPeaks(file, "has no `\(name)`") }
    return value
  }
}

extension PeaksJSONReader {
  private static let blockSize = 65_536
  private static let longestName = 32

  /// The next byte; `nil` at the end of the file.
  private mutating func byte() throws(NodeError) -> UInt8? {
    if index == block.count {
      blockStart += block.count
      block = try file.bytes(
        at: blockStart, count: min(Self.blockSize, max(0, byteCount - blockStart)))
      index = 0
    }
    return index < block.count ? block[index] : nil
  }

  /// The next byte that is no space.
  private mutating func peek() throws(NodeError) -> UInt8? {
    while let byte = try byte() {
      guard [0x20, 0x09, 0x0A, 0x0D].contains(byte) else { return byte }
      index += 1
    }
    return nil
  }

  private mutating func take(_ character: Unicode.Scalar) throws(NodeError) -> Bool {
    guard try peek() == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(NodeError) {
    if try !take(character) { throw unexpected(try peek(), "`\(character)`") }
  }

  private mutating func isFollowedByMore(before end: Unicode.Scalar) throws(NodeError) -> Bool {
    if try take(end) { return false }
    if try take(",") { return true }
    throw unexpected(try peek(), "`,` or `\(end)`")
  }

  private mutating func name() throws(NodeError) -> String {
    try expect("\"")
    var name: [UInt8] = []
    while let byte = try byte(), byte != UInt8(ascii: "\"") {
      guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\"),
        name.count < Self.longestName
      else { throw unexpected(byte, "a plain key") }
      name.append(byte)
      index += 1
    }
    try expect("\"")
    return String(decoding: name, as: UTF8.self)
  }

  private mutating func number() throws(NodeError) -> Int {
    let isNegative = try take("-")
    guard let first = try isNegative ? byte() : peek(), let start = Self.digit(first) else {
      throw unexpected(try byte(), "a whole number")
    }
    index += 1
    var number = start
    while let byte = try byte(), let digit = Self.digit(byte) {
      guard start > 0, number < 1 << 40 else { throw unexpected(byte, "a shorter number") }
      number = number * 10 + digit
      index += 1
    }
    return isNegative ? -number : number
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte - UInt8(ascii: "0")) : nil
  }

  private func unexpected(_ byte: UInt8?, _ wanted: String) -> NodeError {
    let place = blockStart + index
    guard let byte else {
      return .badPeaks(file, "ends at byte \(place), where \(wanted) is to stand")
    }
    let isPlain = (0x21..<0x7F).contains(byte)
    let found = isPlain ? "`\(Unicode.Scalar(byte))`" : "a byte \(byte)"
    return .badPeaks(file, "has \(found) at byte \(place), where \(wanted) is to stand")
  }
}
