/// A JSON value as a file has it: the members of objects in their order, and the place of all.
public struct JSONTree: Hashable, Sendable {
  /// What the value is.
  public indirect enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([Member])
  }

  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: Located<String>
    /// The value.
    public var value: JSONTree

    package init(key: Located<String>, value: JSONTree) {
      self.key = key
      self.value = value
    }
  }

  /// An escape in a string: which of the string's scalars it stands for, and by how many columns
  /// the file's text has grown longer than the string there.
  package struct Widening: Hashable, Sendable {
    var scalar: Int
    var columns: Int
  }

  /// What the value is.
  public var content: Content
  /// Where its first character is; `nil` where it comes from no file.
  public var place: SourcePlace?
  /// Where the escapes of a string are, in order.
  var widenings: [Widening] = []

  package init(_ content: Content, at place: SourcePlace? = nil, widenings: [Widening] = []) {
    self.content = content
    self.place = place
    self.widenings = widenings
  }

  /// Compares the values, not their places.
  public static func == (a: Self, b: Self) -> Bool { a.content == b.content }
  /// Hashes the value, not its places.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  /// The place of a string's scalar of some offset, after the opening quote.
  package func place(ofScalar offset: Int) -> SourcePlace? {
    guard let place else { return nil }
    var (low, high) = (0, widenings.count)
    while low < high {
      let middle = (low + high) / 2
      if widenings[middle].scalar < offset { low = middle + 1 } else { high = middle }
    }
    let extra = low > 0 ? widenings[low - 1].columns : 0
    return SourcePlace(
      line: place.line, column: place.column + 1 + offset + extra, file: place.file)
  }
}

extension JSONTree {
  /// The value of a JSON value, its keys in the order of the alphabet.
  package init(value: JSONValue) {
    switch value {
    case .null: self.init(.null)
    case .bool(let flag): self.init(.bool(flag))
    case .number(let number): self.init(.number(number))
    case .string(let text): self.init(.string(text))
    case .array(let items): self.init(.array(items.map { JSONTree(value: $0) }))
    case .object(let fields):
      let sorted = fields.sorted { $0.key < $1.key }
      self.init(
        .object(sorted.map { Member(key: Located($0.key), value: JSONTree(value: $0.value)) }))
    }
  }

  /// The value without its places.
  public var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(\.value))
    case .object(let members):
      .object(
        Dictionary(members.map { ($0.key.value, $0.value.value) }, uniquingKeysWith: { $1 }))
    }
  }

  /// The text of a string.
  package var text: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The members of an object.
  package var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral text: String) { self.init(.string(text)) }
  /// A truth value.
  public init(booleanLiteral flag: Bool) { self.init(.bool(flag)) }
  /// A number.
  public init(integerLiteral number: Int) { self.init(.number(Double(number))) }
  /// A number.
  package init(number: Double) { self.init(.number(number)) }
  /// A list.
  public init(arrayLiteral items: JSONTree...) { self.init(.array(items)) }
  /// An object whose members keep their order.
  public init(dictionaryLiteral members: (String, JSONTree)...) { self.init(members: members) }

  /// An object whose members keep their order.
  package init(members: [(String, JSONTree)]) {
    self.init(.object(members.map { Member(key: Located($0.0), value: $0.1) }))
  }
}

extension JSONTree {
  /// Reads the line of an answer; `nil` where it is no JSON.
  package init?(answer line: [UInt8], limit: Int = JSONReader.maximumBytes) {
    do { self = try JSONReader.read(line, limit: limit).tree } catch { return nil }
  }

  /// The value as JSON that a person can read, with a line feed at its end.
  package var json: String { JSONWriter.text(of: self) }

  /// The value as JSON in one line, without a line feed.
  package var jsonLine: String { JSONWriter.line(of: self, limit: .max) ?? "null" }
}
