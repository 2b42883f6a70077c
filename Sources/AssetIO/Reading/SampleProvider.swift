public import GraphKit
import GraphKitSystem

/// Where one output of an ``AssetReader`` hands out its samples, in the order of decoding.
///
/// A few samples are read ahead, and no more before they are taken: a program may take as long as it
/// likes with each. Times are the file's. One task or thread reads at a time; a provider without
/// references stops reading.
public final class SampleProvider: Sendable, AsyncSequence {
  /// What is handed out.
  public typealias Element = ReadySampleBuffer

  private struct State {
    var reading: Reading?
    /// The parts of the file that come after the one that is read.
    var later: [MediaTimeRange?] = []
    var status = AssetReader.Status.unknown
    var error: (any Error)?
    /// What was out of the ordinary in the parts that have been read.
    var warnings: [RunWarning] = []
  }

  /// What is handed out.
  public let output: AssetReaderOutput
  private let asset: MediaAsset
  private let state: Monitor<State>

  init(_ output: AssetReaderOutput, of asset: MediaAsset, _ range: MediaTimeRange?) throws {
    (self.output, self.asset) = (output, asset)
    state = Monitor(State(reading: try Reading(output, of: asset, range)))
  }

  deinit { state.withLock { $0.reading }?.cancel() }

  /// Whether it reads, and how it ended.
  var status: AssetReader.Status { state.withLock { $0.status } }
  /// Why reading failed.
  var error: (any Error)? { state.withLock { $0.error } }

  /// What was out of the ordinary in the parts that have been read to their end: that a file ends before
  /// it should, that some of it can't be decoded and was left out, or that the program took long.
  public var warnings: [RunWarning] { state.withLock { $0.warnings } }

  func start() {
    state.withLock { state in
      guard state.status == .unknown else { return }
      state.status = .reading
      state.reading?.start()
    }
  }

  func cancel() {
    state.withLock { state in
      guard state.status == .reading || state.status == .unknown else { return }
      state.status = .cancelled
      state.reading?.cancel()
    }
  }

  // MARK: Samples

  /// The next sample, as soon as there is one; `nil` at the end of the range.
  ///
  /// Throws where the file can't be read or decoded any further, `CancellationError` where the task
  /// or the reader was cancelled, and a `NodeError` where the reader hasn't been started. What is missing
  /// from a file that is damaged or was cut off is left out: ``warnings`` names it.
  public func next() async throws -> ReadySampleBuffer? {
    while let reading = try current() {
      if let sample = await reading.next() { return sample }
      try Task.checkCancellation()
      settle(await reading.report(), of: reading)
    }
    return nil
  }

  /// The same, for a thread that may wait: none that Swift's tasks run on.
  public func copyNextSampleBuffer() throws -> SampleBuffer? {
    let answer = Monitor<Result<ReadySampleBuffer?, any Error>?>(nil)
    Task {
      let result: Result<ReadySampleBuffer?, any Error>
      do { result = .success(try await next()) } catch { result = .failure(error) }
      answer.withLock { $0 = result }
      answer.wakeAll()
    }
    let result = answer.withLock { state in
      while state == nil { answer.wait(&state) }
      return state
    }
    return try result?.get()?.share()
  }

  /// What is read now; `nil` at the end.
  private func current() throws -> Reading? {
    try state.withLock { state in
      switch state.status {
      case .reading: return state.reading
      case .completed: return nil
      case .cancelled: throw CancellationError()
      case .failed: throw state.error ?? CancellationError()
      case .unknown:
        throw NodeError(
          "the reader of `\(asset.path)` hasn't been started",
          remedy: "call `start()` once all outputs are there")
      }
    }
  }

  /// Goes on to the next part once one has ended, or ends.
  private func settle(_ report: Report, of reading: Reading) {
    state.withLock { state in
      guard state.reading === reading, state.status == .reading else { return }
      for warning in report.warnings ?? [] where !state.warnings.contains(warning) {
        state.warnings.append(warning)
      }
      guard report.state == .completed || reading.isOver else {
        let isCancelled = report.state == .cancelled
        (state.status, state.error) = (
          isCancelled ? .cancelled : .failed, isCancelled ? nil : RunError(report: report)
        )
        return
      }
      guard !state.later.isEmpty else {
        state.status = .completed
        return
      }
      do {
        let next = try Reading(output, of: asset, state.later.removeFirst())
        state.reading = next
        next.start()
      } catch { (state.status, state.error) = (.failed, error) }
    }
  }

  /// Reads other parts of the file, one after the other, without looking into it again. What was read
  /// before and not taken is given up. May be called while it reads and after it has ended.
  ///
  /// Throws where a part is empty or begins before the file does, and where reading failed or was
  /// cancelled.
  public func reset(forReadingTimeRanges ranges: [MediaTimeRange]) throws {
    for range in ranges { try range.check() }
    guard let first = ranges.first else {
      throw NodeError("no part to read", remedy: "give at least one range")
    }
    let next = try Reading(output, of: asset, first)
    let old = try state.withLock { state -> Reading? in
      if state.status == .failed || state.status == .cancelled {
        throw state.error ?? CancellationError()
      }
      defer { state.reading = next }
      state.later = ranges.dropFirst().map { $0 }
      if state.status != .unknown {
        state.status = .reading
        next.start()
      }
      return state.reading
    }
    old?.cancel()
  }

  // MARK: As a sequence

  /// The samples from here on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(provider: self) }

  /// Hands out a provider's samples.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let provider: SampleProvider
    /// The next sample; see ``SampleProvider/next()``.
    public mutating func next() async throws -> ReadySampleBuffer? { try await provider.next() }
  }
}

extension MediaTimeRange {
  /// Throws where no file has such a part.
  func check() throws(NodeError) {
    guard start.isNumeric, start >= .zero, !isEmpty else {
      throw NodeError(
        "\(self) is no part of a file", remedy: "begin at 0 or later, and end after that")
    }
  }
}
