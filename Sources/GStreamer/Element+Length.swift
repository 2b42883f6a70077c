import CGStreamer
import GraphKitSystem

extension Element {
  /// Has what an element gives be as long as what it takes: a resampler, or what changes the rate of
  /// video.
  package func keepLength() {
    if pad("sink")?.isAudio == true { completeResampling() } else { completeFrameRate() }
  }

  /// Has a resampler give as many frames as the stream's length asks for, rounded up: the last is
  /// before the end of what came in. By itself it (1.22) gives one too few, since it rounds what its
  /// filter still holds.
  private func completeResampling() {
    guard let sink = pad("sink"), let source = pad("src") else { return }
    let length = Monitor(ResampledLength())
    sink.divert { _, buffer in
      length.withLock { $0.enter(buffer) }
      return .passes(buffer)
    } beforeEnd: { sink in
      guard let tail = length.withLock({ $0.tail() }) else { return }
      sink.take(tail)
    }
    sink.guardFormat { _, caps in
      length.withLock { $0.takeInput(caps) }
      return true
    }
    source.guardFormat { _, caps in
      length.withLock { $0.takeOutput(caps) }
      return true
    }
    source.replaceBuffers { buffer in
      let frames = length.withLock { $0.leave(buffer) }
      return frames.cut(buffer)
    }
  }
}

extension Pad {
  /// Whether it takes raw audio.
  fileprivate var isAudio: Bool {
    guard let caps = unsafe gst_pad_get_pad_template_caps(raw) else { return false }
    return unsafe Caps(taking: caps).description.contains("audio/")
  }

  /// Hands a buffer to a sink pad's element, on the stream's thread.
  func take(_ buffer: consuming Buffer) {
    unsafe _ = gst_pad_chain(raw, buffer.release())
  }
}

/// How many frames have entered a resampler, and left it.
private struct ResampledLength {
  private var entering: SoundLayout?
  private var leaving: SoundLayout?
  private var entered = 0
  private var left = 0
  private var lastEnd: UInt64?
  /// How many frames may leave in all, once it is known.
  private var total: Int?
  /// Whether it is one stream of one format without a gap.
  private var isWhole = true

  mutating func takeInput(_ caps: Caps) {
    isWhole = isWhole && entered == 0
    entering = caps.soundLayout
  }

  mutating func takeOutput(_ caps: Caps) {
    isWhole = isWhole && left == 0
    leaving = caps.soundLayout
  }

  mutating func enter(_ buffer: borrowing Buffer) {
    guard let entering, total == nil else { return }
    if entered > 0, buffer.isDiscontinuity { isWhole = false }
    entered += buffer.size / max(1, entering.frameSize)
    if let start = buffer.presentationTime { lastEnd = start + (buffer.duration ?? 0) }
  }

  /// Silence with which the resampler gives all of the stream, and some frames more.
  mutating func tail() -> Buffer? {
    guard isWhole, total == nil, entered > 0, let entering, let leaving,
      entering.sampleRate != leaving.sampleRate
    else { return nil }
    total = (entered * leaving.sampleRate + entering.sampleRate - 1) / entering.sampleRate
    let frames = entering.sampleRate / leaving.sampleRate + 2
    var silence = Buffer([UInt8](repeating: 0, count: frames * entering.frameSize))
    silence.presentationTime = lastEnd
    silence.duration = entering.time(of: frames)
    return silence
  }

  /// What of a buffer is part of the stream.
  mutating func leave(_ buffer: borrowing Buffer) -> KeptFrames {
    guard let leaving, leaving.frameSize > 0 else { return .all }
    let count = buffer.size / leaving.frameSize
    defer { left += count }
    guard let total, left + count > total else { return .all }
    return .first(max(0, total - left), of: count, leaving)
  }
}

/// How many frames of a buffer pass.
private enum KeptFrames: Equatable {
  case all, first(Int, of: Int, SoundLayout)

  /// The first frames of a buffer; `nil` for none.
  func cut(_ buffer: consuming Buffer) -> Buffer? {
    guard case .first(let count, let all, let layout) = self else { return buffer }
    guard count > 0 else { return nil }
    let duration = buffer.duration.map { $0 * UInt64(count) / UInt64(all) }
    var cut = unsafe Buffer(
      taking: gst_audio_buffer_truncate(
        buffer.release(), Int32(clamping: layout.frameSize), 0, gsize(count)))
    cut.duration = duration
    return cut
  }
}
