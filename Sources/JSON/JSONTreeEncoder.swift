extension JSONTree {
  /// What a value writes of itself: keys in the order in which it writes them, those of
  /// dictionaries in that of the alphabet. A number that JSON can't have is null.
  package init(encoding value: some Encodable) throws {
    self = try JSONTreeEncoder.tree(of: value, codingPath: [])
  }
}

/// Collects what an `Encodable` value writes. Foundation's encoder does the same, but loading
/// Foundation takes longer than a small graph runs.
final class JSONTreeEncoder: Encoder {
  /// A place that a value is written to, perhaps later: a container is filled after it is handed
  /// out.
  final class Slot {
    package enum Content {
      case leaf(JSONTree)
      case list([Slot])
      case members([(key: String, slot: Slot)])
    }
    var content = Content.leaf(JSONTree(.null))
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let slot: Slot

  package init(slot: Slot, codingPath: [any CodingKey]) {
    self.slot = slot
    self.codingPath = codingPath
  }

  static func tree(of value: some Encodable, codingPath: [any CodingKey]) throws -> JSONTree {
    if let scalar = JSONTree(scalar: value) { return scalar }
    let slot = Slot()
    try value.encode(to: JSONTreeEncoder(slot: slot, codingPath: codingPath))
    guard value is any Unordered, case .object(let members) = slot.tree.content else {
      return slot.tree
    }
    return JSONTree(.object(members.sorted { $0.key.value < $1.key.value }))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONMembers(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONItems(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONScalar(slot: slot, codingPath: codingPath)
  }
}

extension JSONTreeEncoder.Slot {
  var tree: JSONTree {
    switch content {
    case .leaf(let tree): tree
    case .list(let slots): JSONTree(.array(slots.map(\.tree)))
    case .members(let members):
      JSONTree(.object(members.map { JSONTree.Member(key: Located($0.key), value: $0.slot.tree) }))
    }
  }

  func add(_ key: String) -> JSONTreeEncoder.Slot {
    let slot = JSONTreeEncoder.Slot()
    if case .members(let members) = content {
      content = .members(members + [(key, slot)])
    } else {
      content = .members([(key, slot)])
    }
    return slot
  }

  func addItem() -> JSONTreeEncoder.Slot {
    let slot = JSONTreeEncoder.Slot()
    if case .list(let slots) = content { content = .list(slots + [slot]) }
    return slot
  }
}

/// What has no order of its own, so that its keys are sorted.
private protocol Unordered {}
extension Dictionary: Unordered where Key == String {}

extension JSONTree {
  /// A number, text or truth value; `nil` for anything else.
  fileprivate init?(scalar value: some Encodable) {
    switch value {
    case let text as String: self.init(.string(text))
    case let flag as Bool: self.init(.bool(flag))
    case let number as Double: self.init(number.isFinite ? .number(number) : .null)
    case let number as Float: self.init(number.isFinite ? .number(Double(number)) : .null)
    case let number as any BinaryInteger: self.init(.number(Double(number)))
    default: return nil
    }
  }
}

/// The members of an object that is being written.
struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: JSONTreeEncoder.Slot
  let codingPath: [any CodingKey]

  package init(slot: JSONTreeEncoder.Slot, codingPath: [any CodingKey]) {
    self.slot = slot
    self.codingPath = codingPath
    // An object without members is an object all the same.
    if case .leaf = slot.content { slot.content = .members([]) }
  }

  mutating func encodeNil(forKey key: Key) { _ = slot.add(key.stringValue) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    let tree = try JSONTreeEncoder.tree(of: value, codingPath: codingPath + [key])
    slot.add(key.stringValue).content = .leaf(tree)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(
      JSONMembers<Nested>(slot: slot.add(key.stringValue), codingPath: codingPath + [key]))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONItems(slot: slot.add(key.stringValue), codingPath: codingPath + [key])
  }

  mutating func superEncoder() -> any Encoder {
    JSONTreeEncoder(slot: slot.add("super"), codingPath: codingPath)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    JSONTreeEncoder(slot: slot.add(key.stringValue), codingPath: codingPath + [key])
  }
}

/// The items of a list that is being written.
struct JSONItems: UnkeyedEncodingContainer {
  let slot: JSONTreeEncoder.Slot
  let codingPath: [any CodingKey]
  private(set) var count = 0

  package init(slot: JSONTreeEncoder.Slot, codingPath: [any CodingKey]) {
    self.slot = slot
    self.codingPath = codingPath
    if case .leaf = slot.content { slot.content = .list([]) }
  }

  private mutating func next() -> JSONTreeEncoder.Slot {
    count += 1
    return slot.addItem()
  }

  mutating func encodeNil() { _ = next() }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let tree = try JSONTreeEncoder.tree(of: value, codingPath: codingPath)
    next().content = .leaf(tree)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JSONMembers<Nested>(slot: next(), codingPath: codingPath))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONItems(slot: next(), codingPath: codingPath)
  }

  mutating func superEncoder() -> any Encoder {
    JSONTreeEncoder(slot: next(), codingPath: codingPath)
  }
}

/// A single value that is being written.
struct JSONScalar: SingleValueEncodingContainer {
  let slot: JSONTreeEncoder.Slot
  let codingPath: [any CodingKey]

  mutating func encodeNil() { slot.content = .leaf(JSONTree(.null)) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    slot.content = .leaf(try JSONTreeEncoder.tree(of: value, codingPath: codingPath))
  }
}
