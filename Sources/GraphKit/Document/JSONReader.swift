/// Reads JSON as RFC 8259 has it and no other way, and knows the place of all that it reads.
///
/// It reads each byte a bounded number of times, nests no deeper than ``maximumDepth``, and stops
/// at the first place where the text isn't JSON. Keys that stand twice in an object are reported
/// and reading goes on: the first one holds.
struct JSONReader {
  /// The deepest nesting of lists and objects.
  static let maximumDepth = 64
  /// The longest file, in bytes.
  static let maximumBytes = 1 << 20

  /// A place where the text isn't JSON.
  struct Fault: Error {
    var problem: SyntaxProblem
    var place: SourcePlace
  }

  let bytes: [UInt8]
  var index = 0
  /// The keys that stand twice.
  private(set) var duplicates: [Fault] = []
  private var depth = 0
  private var marked = 0
  private var mark = SourcePlace(line: 1, column: 1)

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a whole file: its value, and the keys that stand twice.
  static func read(_ bytes: [UInt8]) throws(Fault) -> (tree: JSONTree, duplicates: [Fault]) {
    var reader = JSONReader(bytes)
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
          mark = SourcePlace(line: mark.line + 1, column: 1)
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
