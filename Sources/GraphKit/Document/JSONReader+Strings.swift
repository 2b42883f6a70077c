extension JSONReader {
  /// Reads a string: what it stands for, and where its escapes are.
  mutating func string() throws(Fault) -> (value: String, widenings: [JSONTree.Widening]) {
    index += 1
    var text = ""
    var widenings: [JSONTree.Widening] = []
    var (scalars, columns) = (0, 0)
    while true {
      let start = index
      index = bytes[start...].firstIndex { isSpecial($0) } ?? bytes.count
      text += String(decoding: bytes[start..<index], as: UTF8.self)
      scalars += bytes[start..<index].count { $0 & 0xC0 != 0x80 } + 1
      guard index < bytes.count else { throw fault(.endsEarly(expected: "the closing quote")) }
      if take("\"") { return (text, widenings) }
      guard peek == UInt8(ascii: "\\") else { throw fault(.controlCharacter(peek)) }
      let first = index
      let scalar = try escape()
      columns += index - first - 1
      widenings.append(.init(scalar: scalars - 1, columns: columns))
      text.unicodeScalars.append(scalar)
    }
  }

  private mutating func escape() throws(Fault) -> Unicode.Scalar {
    let start = place
    index += 1
    guard index < bytes.count else { throw fault(.endsEarly(expected: "the rest of an escape")) }
    let letter = peek
    if letter == UInt8(ascii: "u") { return try unicodeEscape(at: start) }
    guard let scalar = shortEscapes[letter] else {
      throw Fault(problem: .badEscape("\\" + String(found.prefix(1))), place: start)
    }
    index += 1
    return scalar
  }

  /// Reads `\u` with its four digits, and its second half where it is the first of a pair.
  private mutating func unicodeEscape(at start: SourcePlace) throws(Fault) -> Unicode.Scalar {
    let first = try codeUnit(at: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let isPair =
      index + 1 < bytes.count && bytes[index] == UInt8(ascii: "\\")
      && bytes[index + 1] == UInt8(ascii: "u")
    guard first < 0xDC00, isPair else {
      throw Fault(problem: .loneSurrogate(hexadecimal(first)), place: start)
    }
    index += 1
    let second = try codeUnit(at: start)
    guard (0xDC00...0xDFFF) ~= second,
      let scalar = Unicode.Scalar(
        0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00)
    else { throw Fault(problem: .loneSurrogate(hexadecimal(first)), place: start) }
    return scalar
  }

  /// Reads `u` and the four hexadecimal digits behind it.
  private mutating func codeUnit(at start: SourcePlace) throws(Fault) -> UInt16 {
    let digits = bytes[(index + 1)..<min(index + 5, bytes.count)]
    let text = String(decoding: digits, as: UTF8.self)
    let isHexadecimal = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    guard digits.count == 4, isHexadecimal, let unit = UInt16(text, radix: 16) else {
      throw Fault(problem: .badEscape("\\u" + excerpt(text)), place: start)
    }
    index += 5
    return unit
  }

  private func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}

private let shortEscapes: [UInt8: Unicode.Scalar] = [
  UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
  UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
  UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
]

private func hexadecimal(_ unit: UInt16) -> String {
  "\\u" + String(unit, radix: 16, uppercase: true)
}
