import GraphKitSystem

/// Writes a value as bytes that ``SummaryDecoder`` reads: what it encodes of itself, one after the
/// other, without the names of its keys. Whole numbers and floating-point numbers have 8 bytes or their
/// own size, little-endian, and keep every bit; texts and lists begin with their length.
final class SummaryEncoder: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  fileprivate var bytes: [UInt8] = []

  /// The bytes of a value.
  static func bytes(of value: some Encodable) throws -> [UInt8] {
    let encoder = SummaryEncoder()
    try encoder.write(value)
    return encoder.bytes
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(SummaryFields(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { SummaryItems(encoder: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { SummaryScalar(encoder: self) }

  fileprivate func append(_ number: some FixedWidthInteger) {
    var rest = number.littleEndian
    for _ in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  fileprivate func write(_ value: some Encodable) throws {
    switch value {
    case let number as Int16: append(number)
    case let number as Int: append(Int64(number))
    case let number as Double: append(number.bitPattern)
    case let number as Float: append(number.bitPattern)
    case let number as UInt64: append(number)
    case let number as Int32: append(number)
    case let number as UInt8: append(number)
    case let number as any FixedWidthInteger: append(Int64(truncatingIfNeeded: number))
    case let flag as Bool: append(UInt8(flag ? 1 : 0))
    case let text as String:
      append(Int64(text.utf8.count))
      bytes += text.utf8
    default:
      if !writeList(value) { try value.encode(to: self) }
    }
  }

  /// Writes a list of numbers, of which summaries may have millions; `false` for anything else.
  private func writeList<Value: Encodable>(_ value: Value) -> Bool {
    func write<Number: BitwiseCopyable>(_ type: Number.Type) -> Bool {
      // A cast alone looks at each item, and an empty list is one of anything.
      guard Value.self == [Number].self, let numbers = value as? [Number] else { return false }
      append(Int64(numbers.count))
      bytes.append(bytesOf: numbers)
      return true
    }
    return write(UInt8.self) || write(Int16.self) || write(Int32.self) || write(UInt64.self)
      || write(Int.self) || write(Float.self) || write(Double.self)
  }

  /// A list's length comes first, and is known last.
  fileprivate func setCount(_ count: Int, at place: Int) {
    for (index, shift) in stride(from: 0, to: 64, by: 8).enumerated() {
      bytes[place + index] = UInt8(truncatingIfNeeded: count >> shift)
    }
  }
}

/// The fields of a value, in the order in which it writes them.
private struct SummaryFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: SummaryEncoder
  let codingPath: [any CodingKey] = []

  func encodeNil(forKey key: Key) { encoder.bytes.append(0) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.write(value) }

  // What the protocol has by itself says nothing where there is no value, for each of these types.
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encodePresence(value)
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodePresence(value) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodePresence(value) }

  private func encodePresence(_ value: (some Encodable)?) throws {
    encoder.bytes.append(value == nil ? 0 : 1)
    if let value { try encoder.write(value) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// The items of a list.
private struct SummaryItems: UnkeyedEncodingContainer {
  let encoder: SummaryEncoder
  let codingPath: [any CodingKey] = []
  private let place: Int
  private(set) var count = 0 { didSet { encoder.setCount(count, at: place) } }

  init(encoder: SummaryEncoder) {
    self.encoder = encoder
    place = encoder.bytes.count
    encoder.append(Int64(0))
  }

  mutating func encodeNil() {
    encoder.bytes.append(0)
    count += 1
  }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try encoder.write(value)
    count += 1
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    count += 1
    return encoder.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return encoder.unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    count += 1
    return encoder
  }
}

/// A value that is one number or text.
private struct SummaryScalar: SingleValueEncodingContainer {
  let encoder: SummaryEncoder
  let codingPath: [any CodingKey] = []

  func encodeNil() { encoder.bytes.append(0) }
  func encode<T: Encodable>(_ value: T) throws { try encoder.write(value) }
}
