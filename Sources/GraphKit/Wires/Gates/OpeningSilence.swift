import GStreamer

/// Silence from the start of the run to a live source's first audio.
///
/// A microphone may begin after the camera, and its track would then begin after the video. As it
/// isn't known at this point when the first frame comes, the silence begins with the run; what is
/// before the session is left out after the encoder, as any early audio is.
struct OpeningSilence {
  private var format: AudioFormat?
  private var caps: Caps?
  private var origin: Int64 = 0
  private var isOver = false

  /// Takes note of the format and of where time begins.
  mutating func note(_ event: borrowing Event) {
    if case .caps(let caps) = event.kind,
      case .audio(let audio) = FormatDescription(caps: caps).format
    {
      (format, self.caps) = (audio, caps)
    }
    if let start = event.segmentOrigin { origin = start }
  }

  /// Calls `emit` with the silence that comes before the first sample; for later ones with none.
  mutating func fill(before first: borrowing Buffer, _ emit: (consuming Buffer) -> Void) {
    guard !isOver else { return }
    isOver = true
    guard let format, let time = first.presentationTime else { return }
    for block in SilentBlock.blocks(
      from: origin, to: Int64(clamping: time), sampleRate: format.sampleRate)
    {
      var silence = Self.silence(of: format, block)
      if format.layout == .planar, let caps {
        silence.describeSound(as: caps, frames: block.frames)
      }
      emit(silence)
    }
  }

  private static func silence(of format: AudioFormat, _ block: SilentBlock) -> Buffer {
    var buffer = Buffer(size: block.frames * format.bytesPerFrame)
    // Unsigned samples are silent in the middle of their range.
    let value: UInt8 = format.sampleFormat == .u8 ? 0x80 : 0
    if var map = MutableBufferMap(&buffer) {
      var bytes = map.mutableSpan(of: UInt8.self, from: 0, count: map.size)
      for index in bytes.indices { bytes[index] = value }
    }
    buffer.presentationTime = UInt64(max(0, block.time))
    buffer.duration = UInt64(block.frames) * 1_000_000_000 / UInt64(format.sampleRate)
    return buffer
  }
}

/// A piece of silence: when it begins, in nanoseconds, and its frames.
struct SilentBlock: Hashable, Sendable {
  let time: Int64
  let frames: Int

  /// What a device that is later than this gets: a track that begins late.
  private static let longest: Int64 = 5_000_000_000
  private static let length: Int64 = 20_000_000

  /// The silence from a time to the first sample. Blocks end where the audio begins, so that none of
  /// its samples is moved.
  static func blocks(from origin: Int64, to first: Int64, sampleRate: Int) -> [SilentBlock] {
    let gap = first.subtractingClamped(origin)
    guard gap > 0, gap <= longest, sampleRate > 0 else { return [] }
    let rate = Int64(sampleRate)
    var blocks: [SilentBlock] = []
    var left = (gap * rate + 500_000_000) / 1_000_000_000
    let most = max(1, length * rate / 1_000_000_000)
    while left > 0 {
      let frames = left % most == 0 ? most : left % most
      blocks.append(SilentBlock(time: first - left * 1_000_000_000 / rate, frames: Int(frames)))
      left -= frames
    }
    return blocks
  }
}
