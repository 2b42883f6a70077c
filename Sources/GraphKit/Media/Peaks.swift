import GStreamer

/// The points of a waveform, in 16 bits.
///
/// On a wire they are the bytes of a ``SampleBuffer``: for each point and each channel its low and
/// its high value, as `Int16`. Where a point is one magnitude `v`, they are `-v` and `v`, so that a
/// renderer of pairs draws it mirrored.
public struct Peaks: Hashable, Sendable, MediaTag {
  /// The kind of media that ports of waveforms carry.
  public static let kind = MediaKind.peaks

  /// What the points are.
  public var format: PeaksFormat
  /// The values, point by point and in each channel by channel: low, high.
  public var values: [Int16]

  /// Some points.
  public init(_ format: PeaksFormat, values: [Int16] = []) {
    self.format = format
    self.values = values
  }

  /// The number of points.
  public var count: Int { format.channels > 0 ? values.count / format.valuesPerPoint : 0 }

  /// The lower value of a point.
  public func low(_ point: Int, channel: Int = 0) -> Int16 {
    values[point * format.valuesPerPoint + channel * 2]
  }

  /// The higher value of a point.
  public func high(_ point: Int, channel: Int = 0) -> Int16 {
    values[point * format.valuesPerPoint + channel * 2 + 1]
  }

  /// How much audio the points stand for.
  public var duration: MediaTime {
    MediaTime(
      value: Int64(count * format.samplesPerPixel), timescale: Int32(clamping: format.sampleRate))
  }
}

extension SampleBuffer {
  /// A sample that holds points, the first of which stands at a time. They aren't copied.
  public init(_ peaks: consuming Peaks, at time: MediaTime = .zero) throws(NodeError) {
    let (format, duration) = (try FormatDescription(.peaks(peaks.format)), peaks.duration)
    self.init(Buffer(holding: peaks.values), format: format)
    presentationTime = time
    self.duration = duration
  }

  /// The points that a sample holds, copied only where they were written to since the sample was
  /// made of them; `nil` where it holds something else.
  public var peaks: Peaks? {
    guard case .peaks(let format) = format.format else { return nil }
    if let values = buffer.heldValues { return Peaks(format, values: values) }
    return withSamples(as: Int16.self) { span in
      Peaks(format, values: span.indices.map { span[$0] })
    }
  }
}
