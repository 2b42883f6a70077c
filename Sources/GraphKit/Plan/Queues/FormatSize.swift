/// How much room media of a format takes, as far as the format tells.
struct FormatSize {
  private let format: FormatConstraint
  /// How many channels encoded audio has, where its own format doesn't tell.
  private let channels: Int?

  /// - Parameter channels: those of what is encoded, where that is audio.
  init(_ format: FormatConstraint, channels: Int? = nil) {
    (self.format, self.channels) = (format, format.channels.max() ?? channels)
  }

  /// Bytes that `nanoseconds` of the format take; `nil` where that isn't known.
  func bytes(in nanoseconds: Int64) -> Double? {
    let seconds = Double(nanoseconds) / Double(Nanoseconds.second)
    switch format.kind {
    case .any, .peaks, .measurement, .text: return nil
    case .encodedVideo: return seconds * Double(QueueBounds.assumedBytesPerSecond)
    case .encodedAudio: return seconds * encodedSoundRate
    case .audio:
      let rate = bytesPerSecond(of: format.sampleFormats.map(\.bytesPerSample).max())
      return seconds * (rate ?? Double(QueueBounds.assumedBytesPerSecond))
    case .video:
      guard let frameBytes else { return nil }
      let frames = seconds * (format.frameRate?.value ?? QueueBounds.assumedFrameRate)
      return (frames.rounded(.up) + 1) * frameBytes
    }
  }

  /// The most samples that `nanoseconds` of the format can come in.
  func samples(in nanoseconds: Int64) -> Double {
    let seconds = Double(nanoseconds) / Double(Nanoseconds.second)
    let rate: Double =
      switch format.kind {
      // A block has a frame at least, so this bound never bites before that of time.
      case .audio: Double(format.sampleRates.max() ?? QueueBounds.assumedSampleRate)
      case .video, .encodedVideo:
        format.frameRate?.value ?? QueueBounds.assumedSamplesPerSecond
      case .encodedAudio, .peaks, .measurement, .text, .any: QueueBounds.assumedSamplesPerSecond
      }
    return (seconds * rate).rounded(.up) + Double(QueueBounds.leastSamples)
  }

  /// The longest single sample, in nanoseconds.
  var block: Int64 {
    guard format.kind == .video || format.kind == .encodedVideo,
      let rate = format.frameRate?.value, rate > 0.001
    else { return QueueBounds.unknownBlock }
    return Int64((Double(Nanoseconds.second) / rate).rounded(.up))
  }

  /// Bytes of one frame of video, with rows padded as GStreamer does.
  var frameBytes: Double? {
    guard format.kind == .video, let width = format.width, let height = format.height else {
      return nil
    }
    let pixels = Double(width.aligned(to: 16)) * Double(height.aligned(to: 2))
    return pixels * (format.pixelFormats.map(\.meanBytesPerPixel).max() ?? 4)
  }

  /// Bytes a second of encoded audio: without loss at most as many as 32 bits a sample take.
  private var encodedSoundRate: Double {
    if !format.codecs.isEmpty, format.codecs.allSatisfy(\.isLossy) {
      return Double(
        channels.map { $0 * QueueBounds.lossyChannelBytesPerSecond }
          ?? QueueBounds.lossySoundBytesPerSecond)
    }
    return bytesPerSecond(of: 4) ?? Double(QueueBounds.assumedBytesPerSecond)
  }

  private func bytesPerSecond(of sample: Int?) -> Double? {
    guard let sample,
      let rate = format.sampleRates.max(), let channels = format.channels.max()
    else { return nil }
    return Double(sample) * Double(rate) * Double(channels)
  }
}

extension PixelFormat {
  /// Bytes of a pixel, over all planes.
  var meanBytesPerPixel: Double {
    switch self {
    case .i420, .nv12: 1.5
    case .bgra, .rgba: 4
    case .yuy2: 2
    case .gray8: 1
    }
  }
}

extension Int {
  fileprivate func aligned(to step: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(step - 1)
    return overflow ? self : sum / step * step
  }
}
