import GStreamer

/// Counts the times of packets of audio by their samples, where a file rounds them: Matroska does to
/// milliseconds. A range would begin at another sample otherwise.
struct PacketClock {
  var sampleRate = 48_000
  /// The first time that is counted from, and the samples since.
  private var start: UInt64?
  private var count = 0

  /// No audio has a higher one; a damaged file may say so.
  static let highestRate = 1 << 24
  /// By how much files round.
  private static let tolerance: UInt64 = 1_000_000

  init(sampleRate: Int = 48_000) { self.sampleRate = sampleRate }

  /// Has a packet of so many samples begin where the one before ends, if what it says is near that.
  mutating func time(_ buffer: inout Buffer, _ frames: Int?) {
    guard let frames, let stated = buffer.presentationTime else {
      start = nil
      return
    }
    if let start, case let counted = start + layout.time(of: count),
      counted.distance(to: stated).magnitude <= Self.tolerance
    {
      if counted != stated { buffer.presentationTime = counted }
    } else {
      (start, count) = (stated, 0)
    }
    count += frames
  }

  /// The samples of so many nanoseconds.
  func frames(in time: UInt64) -> Int { layout.frames(in: time) }

  /// The time of the sample that begins nearest.
  func nearest(_ time: UInt64) -> UInt64 { layout.time(of: frames(in: time)) }

  private var layout: SoundLayout { SoundLayout(frameSize: 1, sampleRate: sampleRate) }
}
