import GStreamer
import GraphKitSystem

/// Where a program's own samples enter a running graph: an `appInput` node's writing end.
///
/// The rule is that of every wire: the input is ready while it holds less than its capacity and
/// isn't too far ahead of the sink's other inputs. ``append(_:)`` waits for that without blocking
/// a thread; ``appendImmediately(_:)`` says no. Safe to use from any task, though the order of
/// samples is that of the calls.
public final class SampleInput: Sendable {
  private let group: WireGroup
  private let index: Int
  /// The format of the samples, which ``append(_:)`` expects.
  public let format: FormatDescription
  /// What the stream has announced, and the format of the sample for which it did.
  private let announced: Monitor<(format: FormatDescription, sample: FormatDescription)>

  /// Frames of the input's format to draw into, used again once the graph is through with them;
  /// `nil` where no raw video enters.
  public let pixelBufferPool: PixelBufferPool?

  init(group: WireGroup, index: Int, format: FormatDescription) {
    if case .video(let video) = format.format {
      pixelBufferPool = PixelBufferPool(format, video)
    } else {
      pixelBufferPool = nil
    }
    self.group = group
    self.index = index
    self.format = format
    announced = Monitor((format, format))
  }

  /// The format of the stream for samples of some format, which says what the input leaves open: the
  /// colours of frames, the shape of pixels, the speakers of channels. Announces it where it is new.
  private func stream(of sample: FormatDescription) -> FormatDescription {
    announced.withLock { last in
      if sample === last.sample { return last.format }
      let completed = format.format.completed(by: sample.format).completed(by: last.format.format)
      if completed != last.format.format, format.format.takes(sample.format) {
        last.format = (try? FormatDescription(completed)) ?? format
        group.enqueue(.caps(last.format.caps), on: index)
      }
      last.sample = sample
      return last.format
    }
  }

  /// How many of the samples that were handed over have gone further.
  package var sentCount: Int { group.monitor.withLock { $0.queues[index].ledger.samplesOut } }

  /// Whether the input would take a sample now.
  public var isReadyForMoreMediaData: Bool {
    group.monitor.withLock { state in
      group.isOpen(index, state) && state.levels.cause(of: index) == nil
    }
  }

  /// How far a program has come with an input.
  struct Standing {
    /// Whether anything has come, and whether nothing more does.
    let hasBegun: Bool
    let isFinished: Bool
    /// Whether it would take a sample now.
    let isReady: Bool
    /// Where the last sample ends, in nanoseconds of the media.
    let reach: Int64
  }

  var standing: Standing {
    group.monitor.withLock { state in
      let input = state.levels.inputs[index]
      let isOpen = group.isOpen(index, state)
      return Standing(
        hasBegun: input.first != nil, isFinished: input.isFinished || !isOpen,
        isReady: isOpen && state.levels.cause(of: index) == nil, reach: input.last)
    }
  }

  /// Hands a sample over as soon as the input is ready. What enters is what the sample's public
  /// properties say, wherever it comes from: nothing else of it reaches the graph.
  ///
  /// Throws a `NodeError` where the sample isn't one of the input's stream, or begins before the
  /// last one, in the order of decoding where that is known; `CancellationError`
  /// where the task is cancelled meanwhile, and ``SampleInputClosed`` where the pipeline has ended
  /// or nothing takes samples any more.
  public func append(_ sample: consuming SampleBuffer) async throws {
    let stream = stream(of: sample.format)
    let buffer = try sample.entering(stream)
    while true {
      try Task.checkCancellation()
      if try offer(buffer) { return }
      await waitUntilReady()
    }
  }

  /// Hands a sample over where the input is ready; `false`, and nothing changes, where it isn't.
  /// What enters, and what is thrown, are those of ``append(_:)``.
  public func appendImmediately(_ sample: borrowing SampleBuffer) throws -> Bool {
    try offer(sample.share().entering(stream(of: sample.format)))
  }

  private func offer(_ buffer: borrowing Buffer) throws -> Bool {
    // Packets are in the order of decoding, of which times of presentation say nothing.
    let isEncoded = format.format.kind.isEncoded
    let time = isEncoded ? buffer.decodeTime : buffer.presentationTime
    let start = time.map { Int64(clamping: $0) }
    switch group.offerIfReady(buffer, at: start, on: index) {
    case .taken: return true
    case .notReady: return false
    case .closed: throw SampleInputClosed()
    case .isBefore(let last): throw backwards(from: last, to: start ?? last)
    }
  }

  private func backwards(from last: Int64, to start: Int64) -> NodeError {
    func seconds(_ time: Int64) -> Double {
      MediaTime(nanoseconds: time.subtractingClamped(format.entryOrigin)).seconds
    }
    return NodeError(
      "a sample at \(seconds(start)) s after one at \(seconds(last)) s",
      remedy: "append samples in the order of their times")
  }

  /// Throws where a sample is none of the input's stream, whatever its time is.
  package func check(_ sample: borrowing SampleBuffer) throws(NodeError) {
    try sample.checkKind(format)
  }

  /// Throws where no stream has a sample of such times.
  package func checkTimes(_ sample: borrowing SampleBuffer) throws(NodeError) {
    try sample.checkTimes(format)
  }

  /// Whether it takes no sample any more.
  private var isClosed: Bool { group.monitor.withLock { !group.isOpen(index, $0) } }

  /// Calls `body` again and again while the input is ready, each time it becomes so, until
  /// `body` calls ``markAsFinished()`` or the pipeline ends. One call at a time, on a task of its
  /// own.
  public func requestMediaDataWhenReady(_ body: @escaping @Sendable (SampleInput) async -> Void) {
    requestMediaDataWhenReady(body, whenClosed: {})
  }

  /// The same; `whenClosed` is called once, when the input takes no sample any more.
  package func requestMediaDataWhenReady(
    _ body: @escaping @Sendable (SampleInput) async -> Void,
    whenClosed: @escaping @Sendable () async -> Void
  ) {
    Task {
      while !isClosed {
        if isReadyForMoreMediaData { await body(self) } else { await waitUntilReady() }
      }
      await whenClosed()
    }
  }

  /// Says that no sample follows: without that the input's stream ends only with the run. May be
  /// called again, to no effect.
  public func markAsFinished() { group.finish(index) }

  /// Returns when the input may be ready, or when the task is cancelled.
  package func waitUntilReady() async {
    let waiter = Waiter()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter.set(continuation)
        group.whenReady(index) { waiter.resume() }
      }
    } onCancel: {
      waiter.resume()
    }
  }
}

/// No sample can enter any more: the pipeline has ended, or the input was marked as finished.
public struct SampleInputClosed: Error, CustomStringConvertible {
  public var description: String {
    "the input takes no more samples; append before the pipeline ends and before markAsFinished()"
  }
}
