import CGStreamer
import Synchronization

extension Element {
  /// Has an element that changes the rate of video give all frames that begin before the end of what
  /// came in, and none after it, and show a frame until the next. By itself `videorate` (1.22) gives one
  /// frame more after its last input, however long that lasts, and shows what comes after a pause from
  /// the middle of the pause on.
  func completeFrameRate() {
    guard let sink = pad("sink"), let source = pad("src") else { return }
    let length = FrameLength()
    sink.divert { sink, buffer in
      if let repeated = length.repetition(before: buffer) { sink.take(repeated) }
      length.enter(buffer)
      return .passes(buffer)
    } beforeEnd: { sink in
      if let tail = length.tail() { sink.take(tail) }
    }
    sink.guardFormat { _, _ in
      length.forget()
      return true
    }
    source.guardFormat { _, caps in
      length.setPeriod(caps.framePeriod)
      return true
    }
    source.replaceBuffers { buffer in
      guard length.isWithin(buffer) else { return nil }
      return consume buffer
    }
  }
}

/// The last frame that has entered an element, and when it ends.
private final class FrameLength: Sendable {
  private struct State: ~Copyable {
    var last: Buffer?
    var start: UInt64 = 0
    var end: UInt64?
    /// How long the frames are that leave.
    var period: UInt64?
    /// Whether no other frame comes; the last one is then given once more.
    var isOver = false
  }

  /// By how much files round times, at most: they count in milliseconds.
  private static let tolerance: UInt64 = 1_000_000

  private let state = Mutex(State())

  func enter(_ buffer: borrowing Buffer) {
    let (start, duration) = (buffer.presentationTime, buffer.duration)
    state.withLock { state in
      guard !state.isOver else { return }
      state.last = buffer.share()
      state.start = start ?? 0
      state.end = start.flatMap { start in duration.map { start + $0 } }
    }
  }

  func setPeriod(_ period: UInt64?) { state.withLock { $0.period = period } }

  /// The last frame once more, where the next comes more than a frame that leaves after it: so long
  /// before that one that the element takes the last for what is nearer until then.
  func repetition(before next: borrowing Buffer) -> Buffer? {
    let time = next.presentationTime
    return state.withLock { state in
      guard !state.isOver, let period = state.period, let time, time > state.start,
        time - state.start > period, var frame = state.last?.share()
      else { return nil }
      frame.makeWritable()
      frame.presentationTime = time - period
      frame.duration = period
      // It comes through here, too.
      state.start = time - period
      return frame
    }
  }

  /// Frames of another format don't go on with the last one.
  func forget() { state.withLock { $0.last = nil } }

  /// The last frame once more, so long after its end that the element is done with all times before.
  func tail() -> Buffer? {
    state.withLock { state in
      state.isOver = true
      guard let end = state.end, end > state.start, var tail = state.last.take() else { return nil }
      tail.makeWritable()
      tail.presentationTime = end + (end - state.start) + 1
      return tail
    }
  }

  /// Whether a frame begins before the end of the last one that has entered, or with it: that one may
  /// be shorter than times are exact.
  func isWithin(_ buffer: borrowing Buffer) -> Bool {
    guard let time = buffer.presentationTime else { return true }
    return state.withLock { state in
      state.end.map { time <= state.start || time + Self.tolerance < $0 } ?? true
    }
  }
}

extension Caps {
  /// How long a frame is at the rate that they say, in nanoseconds.
  fileprivate var framePeriod: UInt64? {
    guard let (numerator, denominator) = frameRate, numerator > 0, denominator > 0 else {
      return nil
    }
    return 1_000_000_000 * UInt64(denominator) / UInt64(numerator)
  }
}
