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
    enum Content {
      case leaf(JSONTree)
      case list([Slot])
      case members([(key: String, slot: Slot)])
    }
    var content = Content.leaf(JSONTree(.null))
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let slot: Slot

  init(slot: Slot, codingPath: [any CodingKey]) {
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
