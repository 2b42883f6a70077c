/// A stretch of media time: from a start up to, and without, an end.
public struct MediaTimeRange: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The first moment inside.
  public var start: MediaTime
  /// How long it lasts.
  public var duration: MediaTime

  /// A range by its start and its length.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
  }

  /// A range by its start and its end.
  public init(start: MediaTime, end: MediaTime) {
    self.init(start: start, duration: end - start)
  }

  /// The first moment after the range.
  public var end: MediaTime { start + duration }

  /// Whether the range holds no moment, as one of a negative or invalid length does.
  public var isEmpty: Bool { !duration.isValid || duration <= .zero }

  /// Whether a moment is inside: not before the start, and before the end.
  public func contains(_ time: MediaTime) -> Bool {
    time.isNumeric && !isEmpty && start <= time && time < end
  }

  /// What two ranges share; `nil` where that is nothing.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange? {
    guard !isEmpty, !other.isEmpty else { return nil }
    let (start, end) = (max(start, other.start), min(end, other.end))
    return start < end ? MediaTimeRange(start: start, end: end) : nil
  }

  /// `1.000 s to 2.000 s`.
  public var description: String { "\(start) to \(end)" }
}
