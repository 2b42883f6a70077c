public import GraphKit
import GraphKitSystem

/// Where one input of a ``MovieRecorder`` takes what a device hands out.
///
/// Nothing here waits: a device goes on whether anyone is ready or not. One thread or task appends at a
/// time.
public final class RecorderInput: Sendable {
  private struct Waiting {
    /// Audio of which it isn't known yet whether it is in the movie, or for which there was no room.
    var samples: [ReadySampleBuffer] = []
    var lastTime: MediaTime?
    var lateCount = 0
    var omittedCount = 0
  }

  /// What it takes.
  public let input: AssetWriterInput
  let receiver: SampleReceiver
  private let core: RecorderCore
  private let waiting = Monitor(Waiting())

  init(_ receiver: SampleReceiver, _ core: RecorderCore) {
    (input, self.receiver, self.core) = (receiver.input, receiver, core)
  }

  /// Takes a sample, in the order of time; `false` where it was late and isn't in the movie.
  ///
  /// Late is a raw sample that comes while the encoder has no room for it, or whose time isn't after that of
  /// one that was there already. Throws a `NodeError` where the recorder isn't prepared, and where the sample has no time or
  /// another format; the recorder's error where it has failed. Once it is finished, samples are left out.
  @discardableResult
  public func append(_ sample: consuming SampleBuffer) throws -> Bool {
    try append(ReadySampleBuffer(sample))
  }

  /// The same, of a sample that others hold too.
  @discardableResult
  public func append(_ sample: ReadySampleBuffer) throws -> Bool {
    let start = sample.presentationTime
    guard start.isNumeric else {
      throw NodeError("a sample without a time", remedy: "set its `presentationTime`")
    }
    let end = start + length(of: sample.share())
    return try waiting.withLock { waiting in
      if let last = waiting.lastTime, start <= last {
        waiting.lateCount += 1
        return false
      }
      let admission = try core.admit(
        receiver.number, isVideo: input.isVideo, from: start, to: end)
      waiting.lastTime = start
      switch admission {
      case .omit: waiting.omittedCount += 1
      case .hold:
        waiting.samples.append(sample)
        trim(&waiting, before: end - RecorderCore.longestWait)
      case .cut: return try hand(sample, &waiting)
      }
      return true
    }
  }

  /// How long a sample is: a block of audio as its contents, a frame that doesn't say it as their rate does.
  private func length(of sample: consuming SampleBuffer) -> MediaTime {
    if case .audio(let audio) = sample.format.format {
      return MediaTime(frames: sample.frameCount, at: audio.sampleRate)
    }
    if sample.duration.isNumeric { return sample.duration }
    guard case .video(let video) = input.format, let rate = video.frameRate else { return .zero }
    return MediaTime(value: Int64(rate.denominator), timescale: Int32(clamping: rate.numerator))
  }

  /// Whether a sample that comes now isn't late: for sources that can wait.
  public var isReadyForMoreMediaData: Bool { receiver.isReadyForMoreMediaData }

  /// How many samples came late and aren't in the movie.
  public var lateCount: Int { waiting.withLock { $0.lateCount } }

  /// How many samples came while nothing was recorded.
  public var omittedCount: Int { receiver.omittedCount + waiting.withLock { $0.omittedCount } }

  /// Hands on what still waits, as soon as there is room for it, and ends the input.
  func finish() async throws {
    let rest = waiting.withLock { waiting in
      defer { waiting.samples = [] }
      return waiting.samples
    }
    for sample in rest { try await receiver.append(sample) }
    receiver.finish()
  }

  private func hand(_ sample: ReadySampleBuffer, _ waiting: inout Waiting) throws -> Bool {
    try drain(&waiting)
    if waiting.samples.isEmpty, try offer(sample) { return true }
    waiting.lateCount += input.isVideo ? 1 : 0
    guard !input.isVideo else { return false }
    // An encoder of audio is soon ready again: it had to take what waited for a picture.
    waiting.samples.append(sample)
    let oldest = sample.presentationTime - RecorderCore.longestWait
    let late = trim(&waiting, before: oldest, isLate: true)
    return late == 0
  }

  private func offer(_ sample: ReadySampleBuffer) throws -> Bool {
    do { return try receiver.appendImmediately(sample) } catch is SampleInputClosed {
      throw core.error
        ?? NodeError("the recorder takes no more samples", remedy: "look at its `error`")
    }
  }

  private func drain(_ waiting: inout Waiting) throws {
    let taken = try waiting.samples.prefix { try offer($0) }.count
    waiting.samples.removeFirst(taken)
  }

  @discardableResult
  private func trim(_ waiting: inout Waiting, before time: MediaTime, isLate: Bool = false) -> Int {
    let count = waiting.samples.prefix { $0.presentationTime < time }.count
    waiting.samples.removeFirst(count)
    if isLate { waiting.lateCount += count } else { waiting.omittedCount += count }
    return count
  }
}
