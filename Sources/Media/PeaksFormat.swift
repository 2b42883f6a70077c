/// What one point of a waveform says of the samples that it stands for.
public enum PeakReduction: String, Hashable, Sendable, Codable, CaseIterable {
  /// The lowest and the highest sample.
  case minMax
  /// The largest magnitude.
  case peak
  /// The root of the mean of the squares.
  case rms
  /// The mean magnitude.
  case mean

  /// Whether a point is two values of their own, and not one value and its negative.
  public var isPair: Bool { self == .minMax }
}

/// What the points of a waveform are.
public struct PeaksFormat: Hashable, Sendable, Codable {
  /// Samples a second of the audio that was reduced.
  public var sampleRate: Int
  /// How many of them, of each channel, a point stands for.
  public var samplesPerPixel: Int
  /// The number of channels.
  public var channels: Int
  /// What a point says.
  public var reduction: PeakReduction

  /// A format.
  public init(
    sampleRate: Int, samplesPerPixel: Int, channels: Int, reduction: PeakReduction = .minMax
  ) {
    self.sampleRate = sampleRate
    self.samplesPerPixel = samplesPerPixel
    self.channels = channels
    self.reduction = reduction
  }

  /// Values of one point: a low and a high one for each channel.
  public var valuesPerPoint: Int { channels * 2 }
}
