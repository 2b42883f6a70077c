extension Array where Element == UInt8 {
  /// Appends a copy of some bytes.
  package mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// A copy of a span: at once, and not element by element.
  package init(copying span: Span<Element>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }
}
