import GraphKit

/// The silent stretches of audio, while it comes.
public struct SilenceSummary: AssociativeReducer {
  /// Frames a second.
  let sampleRate: Int
  private let threshold: Double
  private let minimum: Int
  private let channels: Int
  private let start: Int
  public private(set) var endFrame: Int
  /// The first frame that isn't silent: what is before it may go on from the stretch before.
  private var firstLoud: Int?
  /// Where the silence begins that goes on at the end.
  private var last: Int
  /// Those between.
  private var found: [Range<Int>] = []

  /// A search in audio of a format from a frame on, for silences of so many seconds below a level.
  init(of format: AudioFormat, threshold: Double, minimum: Double, from frame: Int) {
    (sampleRate, channels, self.threshold) = (format.sampleRate, format.channels, threshold)
    self.minimum = max(1, Int((minimum * Double(format.sampleRate)).rounded()))
    (start, endFrame, last) = (frame, frame, frame)
  }

  private enum CodingKeys: String, CodingKey {
    case sampleRate, threshold, minimum, channels, start, endFrame, firstLoud, last, found
  }

  /// Throws where the frames that it names aren't in order, or are none.
  public init(from decoder: any Swift.Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    sampleRate = try fields.decode(Int.self, forKey: .sampleRate)
    threshold = try fields.decode(Double.self, forKey: .threshold)
    minimum = try fields.decode(Int.self, forKey: .minimum)
    channels = try fields.decode(Int.self, forKey: .channels)
    start = try fields.decode(Int.self, forKey: .start)
    endFrame = try fields.decode(Int.self, forKey: .endFrame)
    firstLoud = try fields.decodeIfPresent(Int.self, forKey: .firstLoud)
    last = try fields.decode(Int.self, forKey: .last)
    found = try fields.decode([Range<Int>].self, forKey: .found)
    guard isPossible else { throw DecodingError.damagedSummary(decoder, "silences") }
  }

  /// Whether what was read could have been written.
  private var isPossible: Bool {
    let limits = SummaryLimits.frames
    guard SummaryLimits.sampleRates.contains(sampleRate), (0...1).contains(threshold),
      minimum >= 1, SummaryLimits.channels.contains(channels), limits.contains(start),
      limits.contains(endFrame), start <= endFrame
    else { return false }
    let frames = start...endFrame
    let loud = firstLoud ?? start
    return frames.contains(loud) && frames.contains(last)
      && found.allSatisfy { frames.contains($0.lowerBound) && frames.contains($0.upperBound) }
  }

  public func continues(_ before: SilenceSummary) -> Bool {
    sampleRate == before.sampleRate && threshold == before.threshold && minimum == before.minimum
      && channels == before.channels && start >= before.endFrame
  }

  /// All silences so far, with the one that goes on.
  var all: [Range<Int>] {
    guard let firstLoud else { return [start..<endFrame].filter(isLong) }
    return ([start..<firstLoud] + found + [last..<endFrame]).filter(isLong)
  }

  private func isLong(_ frames: Range<Int>) -> Bool { frames.count >= minimum }

  public mutating func merge(_ next: consuming SilenceSummary) {
    endFrame = next.endFrame
    guard let loud = next.firstLoud else { return }
    end(at: loud)
    found += next.found
    last = next.last
  }

  /// Ends the silence that goes on at a frame that isn't silent.
  private mutating func end(at frame: Int) {
    if firstLoud == nil {
      firstLoud = frame
    } else if frame - last >= minimum {
      found.append(last..<frame)
    }
  }

  public mutating func add(_ block: borrowing PCMBlock) throws(NodeError) {
    switch block.format.sampleFormat {
    case .s16: add(block.samples(as: Int16.self), limit(32_768)) { UInt32($0.magnitude) }
    case .s32: add(block.samples(as: Int32.self), limit(2_147_483_648)) { $0.magnitude }
    case .f32: add(block.samples(as: Float.self), Float(threshold)) { abs($0) }
    case .f64: add(block.samples(as: Double.self), threshold) { abs($0) }
    case .u8, .s24:
      throw NodeError(
        "\(block.format) can't be measured", remedy: "convert it to s16 or f32", key: "in")
    }
  }

  /// The least whole number that isn't silent.
  private func limit(_ scale: Double) -> UInt32 {
    UInt32(max(1, (threshold * scale).rounded(.up)))
  }

  private mutating func add<Sample: BitwiseCopyable, Level: Comparable>(
    _ samples: Span<Sample>, _ limit: Level, _ level: (Sample) -> Level
  ) {
    let count = channels > 0 ? samples.count / channels : 0
    for frame in 0..<count {
      var isSilent = true
      for channel in 0..<channels where level(samples[frame * channels + channel]) >= limit {
        isSilent = false
      }
      note(isSilent)
    }
  }

  private mutating func note(_ isSilent: Bool) {
    if !isSilent {
      end(at: endFrame)
      last = endFrame + 1
    }
    endFrame += 1
  }
}
