extension Array where Element == UInt8 {
  /// Appends a copy of some bytes.
  package mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
