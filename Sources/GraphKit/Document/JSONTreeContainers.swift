/// The members of an object that is being written.
struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: JSONTreeEncoder.Slot
  let codingPath: [any CodingKey]

  init(slot: JSONTreeEncoder.Slot, codingPath: [any CodingKey]) {
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

  init(slot: JSONTreeEncoder.Slot, codingPath: [any CodingKey]) {
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
