/// Where a stream of frames can end without a gap, though some are presented in another order than they
/// are decoded: after a frame by which all have come that are presented before it.
///
/// Encoders give the frame that is decoded as the n-th the time at which the n-th is presented, less
/// one delay. So no frame is missing where none was presented after the time of decoding and the delay.
/// Times are nanoseconds.
struct FrameBorders: Sendable {
  /// How long after its decoding the first frame is presented; zero before there is one.
  var delay: Int64 { firstDelay ?? 0 }

  private var firstDelay: Int64?
  /// Whether a frame was ever decoded before another that is presented before it.
  private var isReordered = false
  /// The latest presentation of all frames.
  private var latest = Int64.min
  /// How many frames came after the last border.
  private var sinceBorder = 0
  /// Ends of frames, of those that the queue may still hold.
  private var borders: [Int64] = []

  /// A frame has come, and all up to a time of decoding have left.
  mutating func note(presentation: Int64, decode: Int64, duration: Int64, taken: Int64) {
    if firstDelay == nil { firstDelay = presentation.subtractingClamped(decode) }
    latest = max(latest, presentation)
    let time = decode.addingClamped(delay)
    sinceBorder += 1
    // Where so many came without a border, the times of decoding are made otherwise.
    let isLong = sinceBorder >= QueueBounds.mostReordered
    guard isLong || latest <= time.addingClamped(duration / 2) else { return isReordered = true }
    sinceBorder = 0
    let gone = borders.prefix { $0 < taken.addingClamped(delay) }.count
    borders.removeFirst(min(gone, max(0, borders.count - 1)))
    borders.append(time.addingClamped(duration))
  }

  /// Up to when frames have come without a gap; `nil` where it is where the last one ends.
  var reach: Int64? { isReordered ? borders.last ?? .min : nil }

  /// The last border up to a time, where all up to a time of decoding have left; that time where it can
  /// be anywhere, or nothing before it is still to leave.
  func last(upTo time: Int64, taken: Int64) -> Int64 {
    let left = taken.addingClamped(delay)
    guard isReordered, time > left else { return time }
    return max(left, borders.last { $0 <= time } ?? left)
  }

  /// The first border after a time; `nil` where it can be anywhere, or none is known.
  func first(after time: Int64) -> Int64? {
    isReordered ? borders.first { $0 > time } : nil
  }
}
