/// Reads JSON as RFC 8259 has it and no other way, and knows the place of all that it reads.
///
/// It reads each byte a bounded number of times, nests no deeper than ``maximumDepth``, and stops
/// at the first place where the text isn't JSON. Keys that stand twice in an object are reported
/// and reading goes on: the first one holds.
package struct JSONReader {
  /// The deepest nesting of lists and objects.
  static let maximumDepth = 64
  /// The longest file that a person may have written, in bytes.
  package static let maximumBytes = 1 << 20

  /// A place where the text isn't JSON.
  package struct Fault: Error {
    package var problem: SyntaxProblem
    package var place: SourcePlace
  }

  let bytes: [UInt8]
  var index = 0
  /// The keys that stand twice.
  private(set) var duplicates: [Fault] = []
  private var depth = 0
  private var marked = 0
  private var mark = SourcePlace(line: 1, column: 1)
  private let limit: Int

  private init(_ bytes: [UInt8], file: String?, limit: Int) {
    (self.bytes, self.limit) = (bytes, limit)
    mark.file = file
  }

  /// Reads a whole file: its value, and the keys that stand twice.
  /// - Parameters:
  ///   - file: what each place is to say of its file; `nil` for nothing.
  ///   - limit: the most bytes that are read.
  package static func read(
    _ bytes: [UInt8], file: String? = nil, limit: Int = maximumBytes
  ) throws(Fault) -> (tree: JSONTree, duplicates: [Fault]) {
    var reader = JSONReader(bytes, file: file, limit: limit)
    try reader.checkEncoding()
    let tree = try reader.document()
    return (tree, reader.duplicates)
  }

  private mutating func document() throws(Fault) -> JSONTree {
    try skipSpace()
    guard index < bytes.count else { throw fault(.empty) }
    let tree = try value()
    try skipSpace()
    guard index == bytes.count else { throw fault(.trailingContent(found)) }
    return tree
  }

  mutating func value() throws(Fault) -> JSONTree {
    let start = place
    switch peek {
    case UInt8(ascii: "{"): return JSONTree(.object(try object()), at: start)
    case UInt8(ascii: "["): return JSONTree(.array(try array()), at: start)
    case UInt8(ascii: "\""):
      let text = try string()
      return JSONTree(.string(text.value), at: start, widenings: text.widenings)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONTree(.number(try number()), at: start)
    default: return JSONTree(try word(), at: start)
    }
  }

  private mutating func array() throws(Fault) -> [JSONTree] {
    try descend()
    var items: [JSONTree] = []
    try skipSpace()
    if take("]") {
      depth -= 1
      return items
    }
    while true {
      items.append(try value())
      if try !isFollowedByMore(before: "]") { return items }
    }
  }

  private mutating func object() throws(Fault) -> [JSONTree.Member] {
    try descend()
    var members: [JSONTree.Member] = []
    var places: [String: SourcePlace] = [:]
    try skipSpace()
    if take("}") {
      depth -= 1
      return members
    }
    while true {
      let key = try key()
      let member = JSONTree.Member(key: key, value: try value())
      if let place = key.place, let first = places.updateValue(place, forKey: key.value) {
        places[key.value] = first
        duplicates.append(Fault(problem: .duplicateKey(key.value, first: first), place: place))
      } else {
        members.append(member)
      }
      if try !isFollowedByMore(before: "}") { return members }
    }
  }

  private mutating func key() throws(Fault) -> Located<String> {
    let start = place
    guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let key = try string().value
    try skipSpace()
    guard take(":") else { throw unexpected("`:` after the key") }
    try skipSpace()
    return Located(key, at: start)
  }

  /// Reads what stands between two items, or the end of them.
  private mutating func isFollowedByMore(before end: Unicode.Scalar) throws(Fault) -> Bool {
    try skipSpace()
    if take(end) {
      depth -= 1
      return false
    }
    let comma = place
    guard take(",") else { throw unexpected("`,` or `\(end)`") }
    try skipSpace()
    if peek == UInt8(ascii: end) { throw Fault(problem: .trailingComma, place: comma) }
    return true
  }

  private mutating func descend() throws(Fault) {
    depth += 1
    if depth > Self.maximumDepth { throw fault(.tooDeep(limit: Self.maximumDepth)) }
    index += 1
  }
}

extension JSONReader {
  /// The next byte; zero at the end, which no token starts with.
  var peek: UInt8 { index < bytes.count ? bytes[index] : 0 }

  /// The place of the next character. Places are asked for in the order of the text, so that all
  /// of them together cost one pass.
  var place: SourcePlace {
    mutating get {
      while marked < index {
        if bytes[marked] == UInt8(ascii: "\n") {
          mark = SourcePlace(line: mark.line + 1, column: 1, file: mark.file)
        } else if bytes[marked] & 0xC0 != 0x80 {
          mark.column += 1
        }
        marked += 1
      }
      return mark
    }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func skipSpace() throws(Fault) {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        index += 1
      case UInt8(ascii: "/"), UInt8(ascii: "#"): throw fault(.comment)
      default: return
      }
    }
  }

  mutating func fault(_ problem: SyntaxProblem) -> Fault { Fault(problem: problem, place: place) }
}

extension JSONReader {
  /// Looks at the whole file before any of it is read: its size, and that it is UTF-8.
  mutating func checkEncoding() throws(Fault) {
    guard bytes.count <= limit else {
      throw fault(.tooLarge(bytes: bytes.count, limit: limit))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw fault(.byteOrderMark) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw fault(.otherEncoding)
    }
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      index = error.byteOffsets.lowerBound
      throw fault(.invalidUTF8(bytes[index]))
    }
  }
}

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

  /// Reads `u` and the four hexadecimal digits after it.
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
