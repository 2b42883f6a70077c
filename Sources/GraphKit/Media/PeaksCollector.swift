/// Puts the points of one stream together that come in several samples, by their times.
///
/// A sample's first point stands where its presentation time says, or after the last one where it
/// has none. Points that are missing in between are silence; of those that come twice the later
/// ones hold.
public struct PeaksCollector: Sendable {
  /// The points so far; `nil` before the stream has a format.
  public private(set) var peaks: Peaks?
  /// The time of the first point.
  public private(set) var start = MediaTime.zero
  /// The place of the first point, counted in points from time zero.
  private var first = 0

  /// The most points that may be missing in a row: at 256 samples a point more than a day of audio.
  private static let longestGap = 1 << 24

  /// A collector of nothing.
  public init() {}

  /// Takes the format of the points that follow; once there are any, it must stay the same.
  public mutating func begin(_ format: FormatDescription) throws(NodeError) {
    guard case .peaks(let format) = format.format else {
      throw NodeError(
        "\(format) is no waveform", remedy: "put a `waveform` node before it", key: "in")
    }
    guard format.channels > 0, format.sampleRate > 0, format.samplesPerPixel > 0 else {
      throw NodeError(
        "the waveform has no channels or no rate", remedy: "check where it comes from", key: "in")
    }
    guard let peaks, peaks.count > 0, peaks.format != format else {
      if peaks?.format != format { peaks = Peaks(format) }
      return
    }
    throw NodeError(
      "the waveform changes from \(MediaFormat.peaks(peaks.format)) to \(MediaFormat.peaks(format))",
      remedy: "reduce audio whose rate and channels stay the same", key: "in")
  }

  /// Takes the points of a sample, whose format was announced.
  public mutating func add(_ sample: borrowing SampleBuffer) throws(NodeError) {
    guard let new = sample.peaks, new.count > 0 else { return }
    // Taken out and put back: a copy of the points would be made otherwise.
    guard var all = peaks.take() else { return }
    let position = position(of: sample.presentationTime, in: all)
    if all.count == 0 { first = position }
    try all.place(new.values, at: position - first, longestGap: Self.longestGap)
    if position <= first, sample.presentationTime.isNumeric { start = sample.presentationTime }
    first = min(first, position)
    peaks = all
  }

  private func position(of time: MediaTime, in all: Peaks) -> Int {
    guard time.isNumeric else { return first + all.count }
    let samples = all.format.samplesPerPixel
    return (time.frames(at: all.format.sampleRate) + samples / 2) / samples
  }
}

extension Peaks {
  /// Puts values where the `point`th point is; before the first one where it is negative.
  fileprivate mutating func place(
    _ new: [Int16], at point: Int, longestGap: Int
  ) throws(NodeError) {
    if values.isEmpty, point == 0 {
      values = new
      return
    }
    let width = format.valuesPerPoint
    let gap = max(point - count, -point - new.count / width)
    guard gap <= longestGap else {
      throw NodeError(
        "the waveform's times jump by \(gap) points",
        remedy: "look at the times of what is reduced", key: "in")
    }
    if point < 0 {
      values.insert(contentsOf: repeatElement(0, count: -point * width), at: 0)
    } else if point > count {
      values.append(contentsOf: repeatElement(0, count: (point - count) * width))
    }
    let start = max(0, point) * width
    let end = min(values.count, start + new.count)
    values.replaceSubrange(start..<end, with: new)
  }
}
