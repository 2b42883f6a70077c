extension JSONReader {
  /// Looks at the whole file before any of it is read: its size, and that it is UTF-8.
  mutating func checkEncoding() throws(Fault) {
    guard bytes.count <= Self.maximumBytes else {
      throw fault(.tooLarge(bytes: bytes.count, limit: Self.maximumBytes))
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw fault(.byteOrderMark) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw fault(.otherEncoding)
    }
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      index = error.byteOffsets.lowerBound
      throw fault(.invalidUTF8(bytes[index]))
    }
  }
}
