/// A point or a length in media time: a rational number of seconds, or no number at all.
public struct MediaTime: Hashable, Sendable {
  /// The time in units of `1/timescale` seconds.
  public var value: Int64
  /// Units a second; zero for an invalid time.
  public var timescale: Int32

  /// A time of `value/timescale` seconds.
  public init(value: Int64, timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }

  /// Zero seconds.
  public static let zero = MediaTime(value: 0, timescale: 1)
}
