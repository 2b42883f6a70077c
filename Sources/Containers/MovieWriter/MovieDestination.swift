import GraphKitSystem

/// Where a movie is written: bytes at offsets.
package protocol MovieDestination {
  /// Writes bytes over what is there, or past the end.
  func write(_ bytes: Span<UInt8>, at offset: Int) throws

  /// Writes bytes of another file.
  func copy(_ range: Range<Int>, of file: File, at offset: Int) throws

  /// Waits until all that was written is on the disk, where that matters: what is written afterwards
  /// can't get there before it.
  func flush() throws

  /// How long the file was when the last flush began that has ended, also of those that weren't
  /// waited for: what was written below that before then is on the disk. `nil` where nothing is flushed:
  /// fragments then have no seals.
  var flushedCount: Int? { get }
}

extension MovieDestination {
  package func copy(_ range: Range<Int>, of file: File, at offset: Int) throws {
    let bytes = try file.read(at: range.lowerBound, count: range.count)
    try write(bytes.span, at: offset)
  }
  package func flush() throws {}
  package var flushedCount: Int? { nil }
}
