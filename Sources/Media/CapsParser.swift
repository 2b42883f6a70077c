/// Reads the text that `gst_caps_to_string` prints; text that it would not print yields `nil`.
struct CapsParser {
  private let bytes: [UInt8]
  private var index = 0
  /// Values nest two deep in real caps; more than this is no caps.
  private static let maximumDepth = 16

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// All structures up to the end of the text, at least one.
  mutating func structures() -> [CapsStructure]? {
    var structures: [CapsStructure] = []
    repeat {
      skipSpace()
      guard let structure = structure() else { return nil }
      structures.append(structure)
      skipSpace()
    } while take(";") && !isAtEnd()
    return index == bytes.count ? structures : nil
  }

  private mutating func structure() -> CapsStructure? {
    guard let name = word(until: ",;(") else { return nil }
    var structure = CapsStructure(name: name)
    skipSpace()
    if take("(") {
      guard let features = word(until: ")"), take(")") else { return nil }
      structure.features = features.split(separator: ",").map {
        String($0.drop { $0 == " " })
      }
      skipSpace()
    }
    while take(",") {
      guard let name = word(until: "=,;"), take("="), let value = value(depth: 0) else {
        return nil
      }
      structure.fields[name] = value
      skipSpace()
    }
    return structure
  }

  private mutating func value(depth: Int) -> CapsValue? {
    guard depth < Self.maximumDepth else { return nil }
    skipSpace()
    if take("(") {
      guard word(until: ")") != nil, take(")") else { return nil }
      skipSpace()
    }
    if take("{") { return elements(upTo: "}", depth: depth).map(CapsValue.list) }
    if take("<") { return elements(upTo: ">", depth: depth).map { _ in .opaque } }
    if take("[") { return range(depth: depth) }
    if take("\"") { return quoted().map(CapsValue.one) }
    // A bare word holds no "=" and no quote: GStreamer quotes text that does.
    return word(until: ",;}]>=\"").map(CapsValue.one)
  }

  private mutating func range(depth: Int) -> CapsValue? {
    let start = index
    if let elements = elements(upTo: "]", depth: depth) {
      guard elements.count == 2, case .one(let low) = elements[0], case .one(let high) = elements[1]
      else { return .opaque }
      return .range(low, high)
    }
    index = start
    return skipStructure()
  }

  /// Passes over a structure in a structure: `[name, field=(int)1;]`.
  private mutating func skipStructure() -> CapsValue? {
    var depth = 1
    while index < bytes.count {
      if take("\"") {
        guard quoted() != nil else { return nil }
        continue
      }
      if bytes[index] == UInt8(ascii: "[") { depth += 1 }
      if bytes[index] == UInt8(ascii: "]") { depth -= 1 }
      index += 1
      if depth == 0 { return .opaque }
    }
    return nil
  }

  private mutating func elements(upTo end: Unicode.Scalar, depth: Int) -> [CapsValue]? {
    var values: [CapsValue] = []
    skipSpace()
    if take(end) { return values }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
      skipSpace()
    } while take(",")
    return take(end) ? values : nil
  }
}

// The words that the grammar is made of.
extension CapsParser {
  /// Text up to one of some characters or the end, without the space around it; not empty.
  private mutating func word(until ends: String) -> String? {
    skipSpace()
    let ends = Array(ends.utf8)
    var word: [UInt8] = []
    while index < bytes.count, !ends.contains(bytes[index]) {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count { index += 1 }
      word.append(bytes[index])
      index += 1
    }
    while word.last.map(Self.isSpace) == true { word.removeLast() }
    return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
  }

  /// The rest of a quoted text, with its escapes (`\"`, and `\303` in octal) undone.
  private mutating func quoted() -> String? {
    var text: [UInt8] = []
    while index < bytes.count {
      if take("\"") { return String(decoding: text, as: UTF8.self) }
      if take("\\") {
        guard index < bytes.count else { return nil }
        if let byte = octal() {
          text.append(byte)
          continue
        }
      }
      text.append(bytes[index])
      index += 1
    }
    return nil
  }

  private mutating func octal() -> UInt8? {
    guard index + 3 <= bytes.count,
      let byte = UInt8(String(decoding: bytes[index..<index + 3], as: UTF8.self), radix: 8)
    else { return nil }
    index += 3
    return byte
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func isAtEnd() -> Bool {
    skipSpace()
    return index == bytes.count
  }

  private mutating func skipSpace() {
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}

extension CapsStructure {
  /// The structures of a text of caps; `nil` where it isn't one.
  package static func all(in text: String) -> [CapsStructure]? {
    var parser = CapsParser(text)
    return parser.structures()
  }
}
