import GraphKit
import GraphKitSystem
import Kernels

/// The loudness of a stretch of audio, measured by libebur128.
///
/// The filters in front of the measurement remember what they heard, and sums of floating-point numbers
/// depend on their order. So audio is measured run by run, each by a filter that begins anew shortly
/// before it: runs lie on a grid that begins with the stream, whatever blocks it comes in and wherever
/// it is cut. A stretch keeps the frames before the first run that it can measure, for the stretch
/// before it, and those from the last run on.
public struct LoudnessSummary: AssociativeReducer {
  private let format: AudioFormat
  private let measuresTruePeak: Bool
  public private(set) var endFrame: Int
  /// The frame at which it begins, and the first run that is measured here.
  private let start: Int
  private let firstRun: Int
  /// The run that is measured next.
  private var nextRun: Int
  /// The frames before the first run.
  private var head: [UInt8] = []
  /// The frames from where the filter for the next run begins.
  private var tail: [UInt8] = []
  /// Windows of 400 ms, for the integrated loudness, and of 3 s, for the range.
  private var momentary = LoudnessWindows.momentary
  private var shortTerm = LoudnessWindows.shortTerm
  private var highest = 0.0
  /// Whether there was no memory for a measurement: nothing that was measured counts then.
  private var hasFailed = false

  /// Blocks of 100 ms of a run, and of what leads it in: by then the filters, the slowest of which is a
  /// high-pass at 38 Hz, have forgotten what was before to the last bit of a sample.
  private static let (runBlocks, leadBlocks) = (40, 3)

  /// A measurement of audio of a format that begins at a frame of its stream.
  public init(
    of format: AudioFormat, measuresTruePeak: Bool, from frame: Int = 0
  ) throws(NodeError) {
    (self.format, self.measuresTruePeak) = (format, measuresTruePeak)
    (start, endFrame) = (frame, frame)
    let block = (format.sampleRate + 5) / 10
    let run = Self.runBlocks * block
    firstRun = frame > 0 && run > 0 ? (frame + Self.leadBlocks * block + run - 1) / run : 0
    nextRun = firstRun
    guard meter != nil else {
      throw NodeError(
        "the loudness of \(format) can't be measured",
        remedy: "convert it to at most 64 channels and a rate that players know", key: "in")
    }
  }

  private enum CodingKeys: String, CodingKey {
    case format, measuresTruePeak, endFrame, start, firstRun, nextRun, head, tail
    case momentary, shortTerm, highest, hasFailed
  }

  /// Throws where the frames that it keeps aren't those that its place in the stream has it keep.
  public init(from decoder: any Swift.Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    format = try fields.decode(AudioFormat.self, forKey: .format)
    measuresTruePeak = try fields.decode(Bool.self, forKey: .measuresTruePeak)
    endFrame = try fields.decode(Int.self, forKey: .endFrame)
    start = try fields.decode(Int.self, forKey: .start)
    firstRun = try fields.decode(Int.self, forKey: .firstRun)
    nextRun = try fields.decode(Int.self, forKey: .nextRun)
    head = try fields.decode([UInt8].self, forKey: .head)
    tail = try fields.decode([UInt8].self, forKey: .tail)
    momentary = try fields.decode(LoudnessWindows.self, forKey: .momentary)
    shortTerm = try fields.decode(LoudnessWindows.self, forKey: .shortTerm)
    highest = try fields.decode(Double.self, forKey: .highest)
    hasFailed = try fields.decode(Bool.self, forKey: .hasFailed)
    guard isPossible else { throw DecodingError.damagedSummary(decoder, "loudness") }
  }

  /// Whether what was read could have been written. What a failed measurement holds isn't used.
  private var isPossible: Bool {
    let limits = SummaryLimits.frames
    guard limits.contains(start), limits.contains(endFrame), start <= endFrame,
      SummaryLimits.channels.contains(format.channels),
      SummaryLimits.sampleRates.contains(format.sampleRate), samples != nil,
      let fresh = try? LoudnessSummary(
        of: format, measuresTruePeak: measuresTruePeak, from: start),
      momentary.isCounted(like: .momentary), shortTerm.isCounted(like: .shortTerm)
    else { return false }
    guard !hasFailed else { return true }
    guard firstRun == fresh.firstRun, nextRun == max(firstRun, endFrame / runLength) else {
      return false
    }
    let size = format.bytesPerFrame
    return head.count == max(0, min(endFrame, firstRun * runLength) - start) * size
      && tail.count == max(0, endFrame - tailStart) * size
  }

  public func continues(_ before: LoudnessSummary) -> Bool {
    format == before.format && measuresTruePeak == before.measuresTruePeak
      && start >= before.endFrame
  }

  private var meter: LoudnessMeter? {
    LoudnessMeter(
      channels: format.channels, places: format.speakers.each.map(Self.place),
      sampleRate: format.sampleRate, measuresTruePeak: measuresTruePeak)
  }

  private static func place(of speaker: Speakers) -> LoudnessMeter.Place {
    let surround: Speakers = [.backLeft, .backRight, .backCenter, .sideLeft, .sideRight]
    return speaker == .lowFrequency
      ? .lowFrequency : surround.isSuperset(of: speaker) ? .surround : .front
  }

  private var samples: LoudnessMeter.Samples? {
    switch format.sampleFormat {
    case .s16: .int16
    case .s32: .int32
    case .f32: .float
    case .f64: .double
    case .u8, .s24: nil
    }
  }

  /// Frames of a run, and of what leads one in.
  private var runLength: Int { (format.sampleRate + 5) / 10 * Self.runBlocks }
  private var leadLength: Int { (format.sampleRate + 5) / 10 * Self.leadBlocks }

  /// The frame from which on the next run's filter is given what comes.
  private var tailStart: Int { max(0, nextRun * runLength - leadLength) }

  public mutating func add(_ block: borrowing PCMBlock) throws(NodeError) {
    guard samples != nil else {
      throw NodeError(
        "\(block.format) can't be measured", remedy: "convert it to s16 or f32", key: "in")
    }
    guard !hasFailed else { throw Self.noMemory }
    try take(block.bytes())
  }

  private static var noMemory: NodeError {
    NodeError("the loudness can't be measured: there is no memory", remedy: "end other programs")
  }

  /// Takes the frames that follow.
  private mutating func take(_ bytes: Span<UInt8>) throws(NodeError) {
    let size = format.bytesPerFrame
    let count = size > 0 ? bytes.count / size : 0
    var next = 0
    while next < count {
      // Up to where the next run ends, or what is kept of the frames changes.
      let ends = [firstRun * runLength, tailStart, (nextRun + 1) * runLength]
      let end = ends.filter { $0 > endFrame }.min() ?? endFrame + count
      let length = min(count - next, end - endFrame)
      let part = bytes.extracting(next * size..<(next + length) * size)
      if endFrame < firstRun * runLength { head.append(copying: part) }
      if endFrame >= tailStart { tail.append(copying: part) }
      next += length
      endFrame += length
      if endFrame == (nextRun + 1) * runLength { try measureRun() }
    }
  }

  /// Measures the run whose frames are there, all or those that there are, and goes on to the next.
  private mutating func measureRun() throws(NodeError) {
    let leadIn = nextRun * runLength - tailStart
    guard let samples, let stretch = meter?.measure(tail.span, as: samples, leadIn: leadIn) else {
      throw Self.noMemory
    }
    for meanSquare in stretch.meanSquares {
      momentary.add(meanSquare)
      shortTerm.add(meanSquare)
    }
    highest = max(highest, stretch.peak)
    nextRun += 1
    let kept = max(0, endFrame - tailStart) * format.bytesPerFrame
    tail.removeFirst(max(0, tail.count - kept))
  }

  public mutating func merge(_ next: consuming LoudnessSummary) {
    let end = max(endFrame, next.endFrame)
    hasFailed = hasFailed || next.hasFailed
    if !hasFailed {
      do throws(NodeError) { try join(next) } catch { hasFailed = true }
    }
    // Half of what was measured isn't kept: a caller that asks for values gets an error.
    guard hasFailed else { return }
    (momentary, shortTerm, head, tail) = (.momentary, .shortTerm, [], [])
    (highest, nextRun, endFrame) = (0, firstRun, end)
  }

  private mutating func join(_ next: LoudnessSummary) throws(NodeError) {
    try passSilence(until: next.start)
    try take(next.head.span)
    guard next.endFrame >= next.firstRun * runLength else { return }
    momentary.merge(next.momentary)
    shortTerm.merge(next.shortTerm)
    highest = max(highest, next.highest)
    (endFrame, nextRun, tail) = (next.endFrame, next.nextRun, next.tail)
  }

  /// Frames that are missing count as silence, of which all but the beginning and the end changes
  /// nothing: no window of it counts.
  private mutating func passSilence(until frame: Int) throws(NodeError) {
    let size = format.bytesPerFrame
    func silence(_ frames: Int) -> [UInt8] { Array(repeating: 0, count: frames * size) }
    if frame - endFrame > 4 * runLength {
      try take(silence(2 * runLength - endFrame % runLength).span)
      let runs = (frame - endFrame) / runLength - 1
      nextRun += runs
      endFrame += runs * runLength
    }
    if frame > endFrame { try take(silence(frame - endFrame).span) }
  }

  /// The same with all its frames measured, also those of a run that isn't whole. Throws where a
  /// measurement failed, now or before.
  private func completed() throws(NodeError) -> LoudnessSummary {
    guard !hasFailed else { throw Self.noMemory }
    var whole = self
    if start > 0 {
      whole = try LoudnessSummary(of: format, measuresTruePeak: measuresTruePeak)
      try whole.join(self)
    }
    if whole.endFrame > whole.nextRun * runLength { try whole.measureRun() }
    return whole
  }

  /// What was measured.
  struct Values: Sendable {
    /// The integrated loudness in LUFS; `nil` where all of it was below the gate of -70 LUFS.
    var integrated: Double?
    /// The loudness range in LU.
    var range = 0.0
    /// The highest peak as a factor of full scale.
    var peak = 0.0
  }

  /// What was measured of all frames so far. Throws where there was no memory for it.
  func values() throws(NodeError) -> Values {
    let whole = try completed()
    return Values(
      integrated: whole.momentary.integrated, range: whole.shortTerm.range, peak: whole.highest)
  }
}
