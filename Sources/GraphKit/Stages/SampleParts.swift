import GStreamer

/// Audio in parts, for a node whose parameters change within a sample.
extension SampleBuffer {
  /// How long a part is: readers of files that aren't encoded give seconds at once.
  private static let partsPerSecond = 100

  /// Takes the first part of raw audio off; `nil` where what is left is less than three, as most samples
  /// are, or can't be parted: another kind of media, channels that lie one after the other, a sample without a time.
  mutating func takePart() -> SampleBuffer? {
    guard case .audio(let audio) = format.format, audio.layout == .interleaved,
      presentationTime.isNumeric, audio.bytesPerFrame > 0
    else { return nil }
    let (size, count) = (audio.bytesPerFrame, byteCount / audio.bytesPerFrame)
    let most = max(1, audio.sampleRate / Self.partsPerSecond)
    guard count >= 3 * most else { return nil }
    var part = share()
    part.trim(offset: 0, byteCount: most * size)
    part.duration = MediaTime(frames: most, at: audio.sampleRate)
    trim(offset: most * size, byteCount: (count - most) * size)
    presentationTime += part.duration
    duration = MediaTime(frames: count - most, at: audio.sampleRate)
    isDiscontinuity = false
    return part
  }
}
