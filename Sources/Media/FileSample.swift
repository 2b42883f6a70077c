/// A sample that is in a file as it is: where, and when it is decoded and presented.
public struct FileSample: Hashable, Sendable {
  /// Which of the streams that were asked for it belongs to, from 0.
  public var stream: Int
  /// Where in the file it begins.
  public var offset: Int
  /// Its size.
  public var byteCount: Int
  /// When it is presented, in nanoseconds of the stream's own time.
  public var presentation: Int64
  /// When it is decoded.
  public var decode: Int64
  /// How long it lasts, in nanoseconds; 0 where that isn't known.
  public var duration: Int64
  /// Whether decoding can start at it.
  public var isSync: Bool

  /// A sample at a place.
  public init(
    stream: Int, offset: Int, byteCount: Int, presentation: Int64, decode: Int64, duration: Int64,
    isSync: Bool
  ) {
    (self.stream, self.offset, self.byteCount) = (stream, offset, byteCount)
    (self.presentation, self.decode, self.duration) = (presentation, decode, duration)
    self.isSync = isSync
  }
}
