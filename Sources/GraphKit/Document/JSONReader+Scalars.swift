extension JSONReader {
  /// Reads `true`, `false` or `null`.
  mutating func word() throws(Fault) -> JSONTree.Content {
    let end = bytes[index...].firstIndex { !isWordByte($0) } ?? bytes.count
    let content: JSONTree.Content
    switch String(decoding: bytes[index..<end], as: UTF8.self) {
    case "true": content = .bool(true)
    case "false": content = .bool(false)
    case "null": content = .null
    case "NaN", "Infinity": throw fault(.notANumber(found))
    default: throw unexpected("a value")
    }
    index = end
    return content
  }

  /// Reads a number that `Double` holds.
  mutating func number() throws(Fault) -> Double {
    let (start, first) = (place, index)
    let isNegative = take("-")
    if isNegative, peek == UInt8(ascii: "I") || peek == UInt8(ascii: "N") {
      throw Fault(problem: .notANumber("-" + found), place: start)
    }
    let digits = skipDigits()
    let (isWhole, isComplete) = skipFractionAndExponent()
    let text = String(decoding: bytes[first..<index], as: UTF8.self)
    let isPadded = digits > 1 && bytes[first + (isNegative ? 1 : 0)] == UInt8(ascii: "0")
    guard digits > 0, isComplete, let number = Double(text) else {
      throw Fault(problem: .badNumber(excerpt(text)), place: start)
    }
    if isPadded { throw Fault(problem: .leadingZero(excerpt(text)), place: start) }
    guard number.isFinite, !isWhole || number.magnitude < 0x1p53 else {
      throw Fault(problem: .numberTooLarge(excerpt(text)), place: start)
    }
    return number
  }

  /// Passes what may follow a number's whole part.
  private mutating func skipFractionAndExponent() -> (isWhole: Bool, isComplete: Bool) {
    var (isWhole, isComplete) = (true, true)
    if take(".") {
      isWhole = false
      isComplete = skipDigits() > 0
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      isComplete = skipDigits() > 0 && isComplete
    }
    return (isWhole, isComplete)
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while isDigit(peek) { index += 1 }
    return index - start
  }

  /// A fault that says what stands here instead of what should.
  mutating func unexpected(_ expected: String) -> Fault {
    guard index < bytes.count else { return fault(.endsEarly(expected: expected)) }
    return fault(.unexpected(found, expected: expected))
  }

  /// What stands here, as a message quotes it: a word, or one character.
  var found: String {
    let end = bytes[index...].firstIndex { !isWordByte($0) } ?? bytes.count
    if end > index { return excerpt(String(decoding: bytes[index..<end], as: UTF8.self)) }
    let rest = String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self)
    return rest.unicodeScalars.first.map { excerpt(String($0)) } ?? ""
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }

private func isWordByte(_ byte: UInt8) -> Bool {
  let letter = byte | 0x20
  return isDigit(byte) || byte == UInt8(ascii: "_")
    || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= letter
}
