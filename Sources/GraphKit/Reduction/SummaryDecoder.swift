import GraphKitSystem

/// Reads what ``SummaryEncoder`` has written. Bytes that are cut off, or of something else, throw.
final class SummaryDecoder: Decoder {
  /// Bytes that aren't those of such a value.
  struct Unreadable: Error {}

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let bytes: [UInt8]
  private var position: Int

  /// A decoder of the bytes from a place on.
  init(_ bytes: [UInt8], at position: Int = 0) { (self.bytes, self.position) = (bytes, position) }

  /// The value that some bytes are, all of them.
  static func value<Value: Decodable>(
    _ type: Value.Type, of bytes: [UInt8], at position: Int = 0
  ) throws -> Value {
    let decoder = SummaryDecoder(bytes, at: position)
    let value = try decoder.read(type)
    guard decoder.position == bytes.count else { throw Unreadable() }
    return value
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ReadFields(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    // Each item takes a byte at least.
    ReadItems(decoder: self, length: try count(ofSize: 1))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ReadScalar(decoder: self) }

  fileprivate func byte() throws -> UInt8 {
    guard position < bytes.count else { throw Unreadable() }
    position += 1
    return bytes[position - 1]
  }

  fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let size = Number.bitWidth / 8
    guard bytes.count - position >= size else { throw Unreadable() }
    var number: Number = 0
    for index in (0..<size).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: bytes[position + index])
    }
    position += size
    return number
  }

  fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value: Any =
      switch type {
      case is Int16.Type: try number(Int16.self)
      case is Int.Type: Int(try number(Int64.self))
      case is Double.Type: Double(bitPattern: try number(UInt64.self))
      case is Float.Type: Float(bitPattern: try number(UInt32.self))
      case is UInt64.Type: try number(UInt64.self)
      case is Int32.Type: try number(Int32.self)
      case is UInt8.Type: try number(UInt8.self)
      case is Bool.Type: try byte() != 0
      case is String.Type: try text()
      case let type as any FixedWidthInteger.Type: try whole(type)
      default: try list(type) ?? type.init(from: self)
      }
    guard let value = value as? Value else { throw Unreadable() }
    return value
  }

  /// A list of numbers, of which summaries may have millions; `nil` for anything else.
  private func list<Value>(_ type: Value.Type) throws -> Any? {
    switch type {
    case is [UInt8].Type: try numbers(UInt8.self)
    case is [Int16].Type: try numbers(Int16.self)
    case is [Int32].Type: try numbers(Int32.self)
    case is [UInt64].Type: try numbers(UInt64.self)
    case is [Int].Type: try numbers(Int.self)
    case is [Float].Type: try numbers(Float.self)
    case is [Double].Type: try numbers(Double.self)
    default: nil
    }
  }

  private func numbers<Number: BitwiseCopyable>(_ type: Number.Type) throws -> [Number] {
    let size = MemoryLayout<Number>.stride
    let count = try count(ofSize: size)
    let (bytes, start) = (bytes, position)
    position += count * size
    return Array(bytes: bytes.span.extracting(start..<position), count: count)
  }

  /// The length of a list whose items take so many bytes at least: no more than there are.
  fileprivate func count(ofSize size: Int) throws -> Int {
    let count = try number(Int64.self)
    guard (0...Int64((bytes.count - position) / size)).contains(count) else { throw Unreadable() }
    return Int(count)
  }

  private func whole<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    Number(truncatingIfNeeded: try number(Int64.self))
  }

  private func text() throws -> String {
    let count = try count(ofSize: 1)
    let text = String(decoding: bytes[position..<position + count], as: UTF8.self)
    position += count
    return text
  }
}

/// The fields of a value, in the order in which it wrote them.
private struct ReadFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SummaryDecoder
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder.byte() == 0 }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder.read(type) }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    try present(type)
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try present(type) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try present(type) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try present(type) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try present(type) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(type) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try present(type) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try present(type) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try present(type) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try present(type) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try present(type) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try present(type) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try present(type) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try present(type) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try present(type) }

  private func present<T: Decodable>(_ type: T.Type) throws -> T? {
    try decoder.byte() == 0 ? nil : decoder.read(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

/// The items of a list.
private struct ReadItems: UnkeyedDecodingContainer {
  let decoder: SummaryDecoder
  let length: Int
  let codingPath: [any CodingKey] = []
  private(set) var currentIndex = 0

  init(decoder: SummaryDecoder, length: Int) { (self.decoder, self.length) = (decoder, length) }

  var count: Int? { length }
  var isAtEnd: Bool { currentIndex >= length }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    currentIndex += 1
    return try decoder.read(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    currentIndex += 1
    return decoder.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    currentIndex += 1
    return try decoder.unkeyedContainer()
  }

  mutating func superDecoder() -> any Decoder {
    currentIndex += 1
    return decoder
  }
}

/// A value that is one number or text.
private struct ReadScalar: SingleValueDecodingContainer {
  let decoder: SummaryDecoder
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.read(type) }
}
