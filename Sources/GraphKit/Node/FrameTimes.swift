/// The times of a stream whose frames a node needs: those on screen at each of them.
public enum FrameTimes: Hashable, Sendable {
  /// At zero and at every multiple of a length, which is more than zero.
  case every(MediaTime)
  /// In the middles of so many equal parts of a stream of a length.
  case spread(Int, over: MediaTime)
  /// At given times, the earliest first.
  case at([MediaTime])

  /// The time of a number, counted from zero; `nil` after the last one.
  public func time(_ number: Int) -> MediaTime? {
    guard number >= 0 else { return nil }
    switch self {
    case .every(let interval):
      let time = interval * number
      return time.isNumeric ? time : nil
    case .spread(let count, let length):
      guard number < count else { return nil }
      let time = length.multiplied(by: 2 * number + 1, over: 2 * count)
      return time.isNumeric ? time : nil
    case .at(let times):
      return times.indices.contains(number) ? times[number] : nil
    }
  }

  /// How many of the times are before one.
  public func count(before time: MediaTime) -> Int {
    guard time.isNumeric, time > .zero else { return 0 }
    switch self {
    case .every(let interval): return Self.count(time.seconds / interval.seconds)
    case .spread(let count, let length):
      return min(count, Self.count(time.seconds / length.seconds * Double(count) - 0.5))
    case .at(let times): return times.firstIndex { $0 >= time } ?? times.count
    }
  }

  private static func count(_ number: Double) -> Int {
    number > 0 ? Int(min(number.rounded(.up), 1e15)) : 0
  }

  /// Whether the times are spread over a stream, so that all of them have a frame.
  public var isSpread: Bool { if case .spread = self { true } else { false } }
}
