import GStreamer

/// The frame of a video that is on screen at a moment, and the time at which the next begins.
///
/// Parsers and decoders say of each frame how long it would be at the stream's rate, or how long it takes
/// until the next is decoded; slides, and recorded screens, last for minutes, and would be discarded as
/// over, and others be taken for frames that are still shown.
struct FrameOnScreen {
  private let time: UInt64
  /// Where the range begins.
  private let first: UInt64
  private let end: UInt64

  /// How long the last frame of a stream is on screen where nothing says when that ends.
  private static let usualLength: UInt64 = 40_000_000

  /// The frame at the beginning of a range, of frames that are presented at some times: of all before it,
  /// and of one that follows, unless the stream ends before; `nil` where there is none. The file has so
  /// much of the range.
  init?(in range: ClosedRange<UInt64>, lasting length: UInt64?, of times: [UInt64]) {
    let first = range.lowerBound
    // A packet without any time has that of the one before.
    guard Set(times).count == times.count, let time = times.filter({ $0 < first }).max() else {
      return nil
    }
    let rest = min(length ?? .max, range.upperBound - first)
    let last = first.addingReportingOverflow(
      range.upperBound == .max ? Self.usualLength : rest)
    guard !last.overflow else { return nil }
    (self.time, self.first) = (time, first)
    end = times.filter { $0 >= first }.min() ?? last.partialValue
  }

  /// A packet, which lasts until the next frame where it is this one's, and no longer than until this one
  /// where it comes before it.
  fileprivate func lasting(_ buffer: consuming Buffer) -> Buffer {
    guard let start = buffer.presentationTime, start <= time else { return buffer }
    let stated = buffer.duration ?? 0
    let length = start < time ? min(stated, time - start) : lasts(stated)
    guard length != stated else { return buffer }
    var buffer = buffer
    buffer.duration = length
    return buffer
  }

  /// How long it is shown: as it says itself, where it is then still on screen and the next, which may
  /// come before those that are known, isn't.
  private func lasts(_ stated: UInt64) -> UInt64 {
    (first - time..<end - time).contains(stated) ? stated : end - time
  }
}

extension FrameOnScreen? {
  /// A packet, which lasts until the next frame where it is that of the one on screen.
  func lasting(_ buffer: consuming Buffer) -> Buffer {
    guard let frame = self else { return buffer }
    return frame.lasting(buffer)
  }
}
