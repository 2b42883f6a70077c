import GraphKit

/// What takes the place of samples that don't come: silence, or the last frame again.
struct LiveFiller: ~Copyable {
  /// The last sample that was presented.
  private var last: SampleBuffer?
  /// The format of what was presented.
  private var description: FormatDescription?

  /// What is presented, and where it ends.
  struct Piece: ~Copyable {
    var sample: SampleBuffer
    let end: Int64
  }

  var format: MediaFormat? { description?.format }

  /// Whether it knows what to fill with.
  var canFill: Bool {
    switch format {
    case .audio, .video: true
    default: false
    }
  }

  /// As much as comes at once, in nanoseconds.
  private static let longest: Int64 = 100_000_000

  /// Takes note of a sample that is presented.
  mutating func note(_ sample: borrowing SampleBuffer) {
    description = sample.format
    last = sample.share()
  }

  /// How long a sample is, in nanoseconds.
  static func duration(of sample: borrowing SampleBuffer) -> Int64 {
    switch sample.format.format {
    case .audio(let audio) where audio.bytesPerFrame > 0:
      return MediaTime(frames: sample.byteCount / audio.bytesPerFrame, at: audio.sampleRate)
        .nanoseconds ?? 0
    case .video(let video): return sample.duration.nanoseconds ?? frameDuration(video)
    default: return sample.duration.nanoseconds ?? 0
    }
  }

  private static func frameDuration(_ video: VideoFormat) -> Int64 {
    guard let rate = video.frameRate, rate.value >= 1, rate.value <= 1000 else { return 40_000_000 }
    return Int64(1e9 / rate.value)
  }

  /// What is to be presented from `start` on, and where it ends, at `end` or before; `nil` where that is
  /// too near.
  func next(from start: Int64, to end: Int64) -> Piece? {
    switch description?.format {
    case .audio(let audio): return silence(audio, from: start, to: end)
    case .video(let video):
      let length = Self.frameDuration(video)
      return start + length <= end ? frame(from: start, length) : nil
    default: return nil
    }
  }

  private func frame(from start: Int64, _ length: Int64) -> Piece? {
    switch last {
    case .some(let last):
      var frame = last.share()
      frame.presentationTime = MediaTime(nanoseconds: start)
      frame.duration = MediaTime(nanoseconds: length)
      return Piece(sample: frame, end: start + length)
    case .none: return nil
    }
  }

  private func silence(
    _ audio: AudioFormat, from start: Int64, to end: Int64
  ) -> Piece? {
    let length = MediaTime(nanoseconds: min(end - start, Self.longest))
    guard let description, let frames = length.frames(at: audio.sampleRate, rounding: .towardZero),
      frames > 0,
      let exact = MediaTime(frames: frames, at: audio.sampleRate).nanoseconds
    else { return nil }
    var silence = SampleBuffer(
      bytes: Array(repeating: 0, count: frames * audio.bytesPerFrame), format: description)
    silence.presentationTime = MediaTime(nanoseconds: start)
    silence.duration = MediaTime(nanoseconds: exact)
    return Piece(sample: silence, end: start + exact)
  }
}
