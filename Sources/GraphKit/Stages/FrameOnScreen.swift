import GStreamer

/// The frame of a video that is on screen at a moment, and the time at which the next begins.
///
/// Parsers and decoders say of each frame how long it would be at the stream's rate; slides, and recorded
/// screens, last for minutes, and would be discarded as over.
struct FrameOnScreen {
  private let time: UInt64
  private let end: UInt64

  /// The frame at a moment, of frames that are presented at some times: of all before it, and of at least
  /// one that follows it; `nil` where there is none.
  init?(at moment: UInt64, of times: [UInt64]) {
    guard let time = times.filter({ $0 < moment }).max(),
      let end = times.filter({ $0 >= moment }).min()
    else { return nil }
    (self.time, self.end) = (time, end)
  }

  /// A packet, which lasts until the next frame where it is this one's.
  fileprivate func lasting(_ buffer: consuming Buffer) -> Buffer {
    guard buffer.presentationTime == time, buffer.duration ?? 0 < end - time else { return buffer }
    var buffer = buffer
    buffer.duration = end - time
    return buffer
  }
}

extension FrameOnScreen? {
  /// A packet, which lasts until the next frame where it is that of the one on screen.
  func lasting(_ buffer: consuming Buffer) -> Buffer {
    guard let frame = self else { return buffer }
    return frame.lasting(buffer)
  }
}
