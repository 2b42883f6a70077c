import GraphKit

/// What a ``Waveform`` gathers of a stretch of audio.
public struct WaveformSummary: AssociativeReducer {
  private let settings: WaveformSettings
  private let format: AudioFormat
  /// Counted from the first frame of the stream.
  public private(set) var endFrame: Int
  /// Counted from the first frame of the waveform.
  private var cells: WaveformCells
  private var lanes: PCMLanes

  init(_ settings: WaveformSettings, of format: AudioFormat, from frame: Int) {
    self.settings = settings
    self.format = format
    endFrame = frame
    lanes = PCMLanes(channels: format.channels, isMixed: settings.isMixed)
    cells = WaveformCells(
      lanes: settings.isMixed ? 1 : format.channels, size: settings.cellSize,
      first: settings.frames.clamped(frame) - settings.frames.lowerBound,
      gathersExtremes: settings.reduction.gathersExtremes)
  }

  private enum CodingKeys: String, CodingKey { case settings, format, endFrame, cells }

  public init(from decoder: any Swift.Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    settings = try fields.decode(WaveformSettings.self, forKey: .settings)
    format = try fields.decode(AudioFormat.self, forKey: .format)
    endFrame = try fields.decode(Int.self, forKey: .endFrame)
    cells = try fields.decode(WaveformCells.self, forKey: .cells)
    guard SummaryLimits.sampleRates.contains(format.sampleRate),
      SummaryLimits.channels.contains(format.channels), settings.isPossible,
      SummaryLimits.frames.contains(endFrame), cells.isPossible,
      cells.isMade(
        lanes: settings.isMixed ? 1 : format.channels,
        gathersExtremes: settings.reduction.gathersExtremes)
    else { throw DecodingError.damagedSummary(decoder, "a waveform") }
    lanes = PCMLanes(channels: format.channels, isMixed: settings.isMixed)
  }

  public func continues(_ before: WaveformSummary) -> Bool {
    settings == before.settings && format == before.format && cells.continues(before.cells)
  }

  public static func == (a: WaveformSummary, b: WaveformSummary) -> Bool {
    a.endFrame == b.endFrame && a.settings == b.settings && a.cells == b.cells
  }

  public mutating func add(_ block: borrowing PCMBlock) {
    let count = block.frameCount
    let begin = settings.frames.clamped(endFrame)
    let taken = (begin - endFrame)..<(settings.frames.clamped(endFrame + count) - endFrame)
    endFrame += count
    guard !taken.isEmpty else { return }
    let start = begin - settings.frames.lowerBound
    cells.extend(to: start + taken.count)
    gather(block, taken, at: start)
    limitCells()
  }

  public mutating func merge(_ next: consuming WaveformSummary) {
    endFrame = next.endFrame
    cells.merge(next.cells)
    limitCells()
  }

  /// Where the number of points is given, cells double in size until there are few enough: it
  /// depends on nothing but how long the audio is.
  private mutating func limitCells() {
    guard settings.points != nil else { return }
    while cells.count > WaveformSettings.mostCells { cells.coarsen(by: 2) }
  }

  private mutating func gather(_ block: borrowing PCMBlock, _ taken: Range<Int>, at start: Int) {
    switch directly(block) {
    case .samples:
      let samples = block.samples(as: Int16.self).extracting(taken)
      gather(taken, at: start) { PCMKernels.extremes(samples.extracting($0)) }
    case .frames:
      let frames = block.wholeFrames(as: Int32.self).extracting(taken)
      gather(taken, at: start) { PCMKernels.pairExtremes(frames.extracting($0)) }
    case .planes:
      let left = block.channel(0, as: Float.self).extracting(taken)
      let right = block.channel(1, as: Float.self).extracting(taken)
      gather(taken, at: start) {
        PCMKernels.pairExtremes(left.extracting($0), right.extracting($0))
      }
    case nil:
      lanes.read(block)
      for lane in lanes.lanes.indices { gather(lane, taken, at: start) }
    }
  }

  /// Blocks whose extremes are found as their samples lie.
  private enum Direct { case samples, frames, planes }

  private func directly(_ block: borrowing PCMBlock) -> Direct? {
    guard settings.reduction.gathersExtremes else { return nil }
    let isMixedPair = format.channels == 2 && settings.isMixed
    switch (format.sampleFormat, format.layout) {
    case (.s16, _) where format.channels == 1: return .samples
    case (.s16, .interleaved) where isMixedPair:
      return block.wholeFrames(as: Int32.self).count == block.frameCount ? .frames : nil
    case (.f32, .planar) where isMixedPair: return .planes
    default: return nil
    }
  }

  private mutating func gather(
    _ taken: Range<Int>, at start: Int, _ extremes: (Range<Int>) -> (low: Int16, high: Int16)
  ) {
    forEachCell(at: start, count: taken.count) { cells, part, frame in
      let (low, high) = extremes(part)
      cells.fold(low, high, at: frame, lane: 0)
    }
  }

  private mutating func gather(_ lane: Int, _ taken: Range<Int>, at start: Int) {
    let reduction = settings.reduction
    let all = lanes.lanes[lane]
    let samples = all.span.extracting(taken)
    forEachCell(at: start, count: taken.count) { cells, part, frame in
      let samples = samples.extracting(part)
      switch reduction {
      case .minMax, .peak:
        let (low, high) = PCMKernels.extremes(samples)
        cells.fold(low, high, at: frame, lane: lane)
      case .rms: cells.fold(PCMKernels.squares(samples), at: frame, lane: lane)
      case .mean: cells.fold(PCMKernels.magnitudes(samples), at: frame, lane: lane)
      }
    }
  }

  /// Calls `body` for each run of frames that lie in one cell, with where they are among the block's
  /// and in the waveform.
  private mutating func forEachCell(
    at start: Int, count: Int, _ body: (inout WaveformCells, Range<Int>, Int) -> Void
  ) {
    var done = 0
    while done < count {
      let room = cells.room(at: start + done, limit: count - done)
      body(&cells, done..<done + room, start + done)
      done += room
    }
  }
}

extension WaveformSummary {
  /// The points of a zoom level, all of them.
  func peaks(level: Int) -> Peaks {
    let factor = settings.factor(ofLevel: level)
    if let points = settings.points {
      let count = max(1, points / factor)
      let samples = max(1, (cells.end - cells.first) / count)
      return peaks(samplesPerPixel: samples, count: count) { [total = cells.count] point in
        let start = min(point * total / count, max(0, total - 1))
        return start..<min(total, max(start + 1, (point + 1) * total / count))
      }
    }
    return completed(level: level, before: cells.end, isLast: true)
  }

  /// The points of the finest level, all of them; what was gathered is gone afterwards, since it
  /// takes as much room as they do.
  mutating func takePeaks() -> Peaks {
    guard settings.points == nil, settings.reduction == .minMax else { return peaks(level: 0) }
    var peaks = Peaks(format(samplesPerPixel: cells.size))
    peaks.values = cells.takePairs()
    return peaks
  }

  /// The points of a level, from the first cell that is still there up to a frame; the last cell
  /// counts though it is not full where no frames follow.
  private func completed(level: Int, before end: Int, isLast: Bool) -> Peaks {
    let factor = settings.factor(ofLevel: level)
    let first = cells.firstCell / factor
    let cellEnd = isLast ? cells.firstCell + cells.count : end / cells.size
    let count = max(0, isLast ? (cellEnd + factor - 1) / factor - first : cellEnd / factor - first)
    return peaks(samplesPerPixel: cells.size * factor, count: count) { [cells] point in
      let start = (first + point) * factor - cells.firstCell
      return max(0, start)..<min(cells.count, start + factor)
    }
  }

  /// Takes away the points that no further frame can change, of every level; `nil` while there are
  /// none.
  mutating func takeCompleted() -> [Peaks]? {
    let whole = cells.size * settings.factor(ofLevel: settings.levels - 1)
    let end = cells.end / whole * whole
    guard settings.points == nil, end > cells.firstCell * cells.size else { return nil }
    let levels = (0..<settings.levels).map { completed(level: $0, before: end, isLast: false) }
    cells.dropCells(before: end)
    return levels
  }

  /// Samples a second of the audio.
  var sampleRate: Int { format.sampleRate }

  /// When the first point that is still there begins.
  var time: MediaTime {
    MediaTime(
      value: Int64(settings.frames.lowerBound + cells.firstCell * cells.size),
      timescale: Int32(clamping: format.sampleRate))
  }

  private func peaks(
    samplesPerPixel: Int, count: Int, _ range: (Int) -> Range<Int>
  ) -> Peaks {
    var peaks = Peaks(format(samplesPerPixel: samplesPerPixel))
    peaks.values.reserveCapacity(count * cells.lanes * 2)
    for point in 0..<count {
      let range = cells.count == 0 ? 0..<0 : range(point)
      for lane in 0..<cells.lanes {
        let (low, high) = value(of: range, lane: lane)
        peaks.values.append(low)
        peaks.values.append(high)
      }
    }
    return peaks
  }

  private func format(samplesPerPixel: Int) -> PeaksFormat {
    PeaksFormat(
      sampleRate: format.sampleRate, samplesPerPixel: samplesPerPixel, channels: cells.lanes,
      reduction: settings.reduction)
  }

  private func value(of range: Range<Int>, lane: Int) -> (low: Int16, high: Int16) {
    switch settings.reduction {
    case .minMax: return cells.extremes(of: range, lane: lane)
    case .peak:
      let (low, high) = cells.extremes(of: range, lane: lane)
      return Self.mirrored(max(abs(Int(low)), abs(Int(high))))
    case .rms: return Self.mirrored(Int(cells.mean(of: range, lane: lane).squareRoot().rounded()))
    case .mean: return Self.mirrored(Int(cells.mean(of: range, lane: lane).rounded()))
    }
  }

  private static func mirrored(_ magnitude: Int) -> (low: Int16, high: Int16) {
    (Int16(clamping: -magnitude), Int16(clamping: magnitude))
  }
}
