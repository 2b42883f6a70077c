extension Array where Element == UInt8 {
  /// Appends a copy of some bytes.
  package mutating func append(copying span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the bytes of some numbers, as they are in memory: little-endian, on all that Swift runs on.
  package mutating func append(bytesOf numbers: [some BitwiseCopyable]) {
    unsafe numbers.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension Array where Element: BitwiseCopyable {
  /// A copy of a span: at once, and not element by element.
  package init(copying span: Span<Element>) {
    self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// So many numbers, which have any bits that their bytes may have, of bytes as they are in memory.
  package init(bytes: Span<UInt8>, count: Int) {
    precondition(count >= 0 && bytes.count == count * MemoryLayout<Element>.stride)
    self = unsafe Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0)
      }
      initialized = count
    }
  }
}
