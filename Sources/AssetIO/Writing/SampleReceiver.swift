public import Dispatch
public import GraphKit
import GraphKitSystem

/// Where one input of an ``AssetWriter`` takes its samples.
///
/// It is ready while it holds less than its capacity and isn't further ahead of the writer's other
/// inputs than half a second: that keeps the movie interleaved. Samples are appended in the order of
/// decoding. One task or thread appends at a time.
public final class SampleReceiver: Sendable {
  private struct State {
    var cut = SessionCut()
    var hasFinished = false
    /// When the newest sample ends, in the movie's time, and when it was appended.
    var reach = MediaTime.zero
    /// When the newest sample is presented, in the movie's time; `nil` before the first.
    var newest: MediaTime?
    var activity = ContinuousClock.now
    /// What is in the movie of a sample that couldn't be handed over as a whole.
    var pending: [ReadySampleBuffer] = []
    /// Whether the first of that is being handed over: two threads would hand it over twice.
    var isHanding = false
    /// Whether something ends the input once all is handed over.
    var isEnding = false
  }

  /// What it takes.
  public let input: AssetWriterInput
  /// Which of the writer's inputs it is, from 1.
  public let number: Int
  private let writer: WriterCore
  private let state = Monitor(State())

  init(_ input: AssetWriterInput, number: Int, of writer: WriterCore) {
    (self.input, self.number, self.writer) = (input, number, writer)
  }

  /// Hands a sample over as soon as the input is ready.
  ///
  /// Throws a `NodeError` where the writer hasn't been started or its session hasn't, where the input
  /// is finished, where the sample has another format or comes after one with a later time, and where
  /// another input that is behind gets nothing for ``AssetWriter/Configuration/patience``; the
  /// writer's error where it has failed; `CancellationError` where the task is cancelled before anything was
  /// handed over. The sample isn't in the movie then, and nothing has changed: one that waited may be
  /// appended again. Of one that is cut in two, as at the border of a pause, a rest that waits goes ahead of
  /// the next.
  public func append(_ sample: consuming SampleBuffer) async throws {
    do {
      try await handPending()
      try await handParts(of: ReadySampleBuffer(sample))
    } catch let heldUp as InputHeldUp { throw heldUp.reason }
  }

  private func handPending() async throws {
    while let next = takePending() {
      do { try await hand(next) } catch {
        // One that can't be written must not keep those after it from being tried.
        settle(isDone: error is NodeError)
        throw error
      }
      settle(isDone: true)
    }
  }

  private func handParts(of sample: ReadySampleBuffer) async throws {
    let former = state.withLock { $0.cut }
    let parts = try prepared(sample)
    for (index, part) in parts.enumerated() {
      do { try await hand(part) } catch {
        guard index > 0 else {
          state.withLock { $0.cut = former }
          throw error
        }
        guard error is CancellationError || error is InputHeldUp else { throw error }
        return state.withLock { $0.pending += parts[index...] }
      }
    }
  }

  /// The same, of a sample that others hold too.
  public func append(_ sample: ReadySampleBuffer) async throws { try await append(sample.share()) }

  /// Hands a sample over where the input is ready; `false`, and nothing changes, where it isn't.
  /// Throws what ``append(_:)-(SampleBuffer)`` throws.
  public func appendImmediately(_ sample: ReadySampleBuffer) throws -> Bool {
    let input = try writer.input(number)
    if state.withLock({ $0.hasFinished }) { throw finishedError }
    do {
      try flushPending(to: input)
      guard state.withLock({ $0.pending.isEmpty }), input.isReadyForMoreMediaData else {
        return false
      }
      return try handImmediately(sample, to: input)
    } catch is SampleInputClosed {
      if let error = writer.outcome.error { throw error }
      return false
    }
  }

  private func handImmediately(_ sample: ReadySampleBuffer, to input: SampleInput) throws -> Bool {
    let former = state.withLock { $0.cut }
    let parts = try prepared(sample)
    guard let first = parts.first else { return true }
    do {
      guard try input.appendImmediately(first.share()) else {
        state.withLock { $0.cut = former }
        return false
      }
    } catch {
      state.withLock { $0.cut = former }
      throw error
    }
    note(first)
    state.withLock { $0.pending = Array(parts.dropFirst()) }
    // What can't be handed over yet goes ahead of the next sample.
    try? flushPending(to: input)
    return true
  }

  /// Says that no sample follows. May be called again, to no effect.
  public func finish() {
    let session = try? writer.session()
    state.withLock { state in
      state.hasFinished = true
      if let session { state.pending += state.cut.rest(in: session) }
    }
    guard let input = try? writer.input(number), !endIfHanded(to: input) else { return }
    let isEnding = state.withLock { state in
      defer { state.isEnding = true }
      return state.isEnding
    }
    if isEnding { return }
    input.requestMediaDataWhenReady { [self] input in _ = endIfHanded(to: input) }
  }

  /// Ends the input once it has all that was taken; whether it has.
  private func endIfHanded(to input: SampleInput) -> Bool {
    try? flushPending(to: input)
    guard state.withLock({ $0.pending.isEmpty }) else { return false }
    input.markAsFinished()
    return true
  }

  /// How many samples had nothing in the session, and so aren't in the movie.
  public var omittedCount: Int { state.withLock { $0.cut.omittedCount } }

  // MARK: The classic layer

  /// Whether the input would take a sample now.
  public var isReadyForMoreMediaData: Bool {
    (try? writer.input(number))?.isReadyForMoreMediaData ?? false
  }

  /// Returns when the input may be ready. Throws where the writer doesn't write.
  func waitUntilReady() async throws { try await writer.input(number).waitUntilReady() }

  /// Calls `block` on a queue again and again while the input is ready, each time it becomes so, until
  /// `block` calls ``markAsFinished()`` or the writer ends. To be called once the writer is started.
  ///
  /// Where the writer fails, `block` is called once more: the input isn't ready then, and
  /// ``appendImmediately(_:)`` throws why.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) throws {
    let call: @Sendable () async -> Void = {
      await withCheckedContinuation { continuation in
        queue.async {
          block()
          continuation.resume()
        }
      }
    }
    try writer.input(number).requestMediaDataWhenReady { _ in
      await call()
    } whenClosed: { [self] in
      guard !state.withLock({ $0.hasFinished }), await writer.fails() else { return }
      await call()
    }
  }

  /// The same as ``finish()``.
  public func markAsFinished() { finish() }

  // MARK: Handing over

  /// What of a sample is in the movie. Where that can't be said, or can't be written, nothing changes.
  private func prepared(_ sample: ReadySampleBuffer) throws -> [ReadySampleBuffer] {
    let entry = try writer.input(number)
    let session = try writer.session()
    return try state.withLock { state in
      guard !state.hasFinished else { throw finishedError }
      try entry.check(sample.share())
      var cut = state.cut
      let parts = try cut.samples(of: sample.share(), in: session, isVideo: input.isVideo)
      for part in parts { try entry.checkTimes(part.share()) }
      state.cut = cut
      return parts
    }
  }

  private var finishedError: NodeError {
    NodeError(
      "input \(number) of \(writer.name) is finished",
      remedy: "append before `finish()` and `finishWriting()`")
  }

  private func hand(_ sample: ReadySampleBuffer) async throws {
    let input = try writer.input(number)
    do {
      if try input.appendImmediately(sample.share()) { return note(sample) }
      try await wait(to: input, with: sample)
      note(sample)
    } catch is SampleInputClosed {
      throw await writer.closedError(number)
    }
  }

  private func wait(to input: SampleInput, with sample: ReadySampleBuffer) async throws {
    let isTaken = Monitor(false)
    do {
      try await writer.watching(number) {
        try await input.append(sample.share())
        isTaken.withLock { $0 = true }
      }
    } catch {
      // The task may have been cancelled at the very moment at which it was taken.
      guard isTaken.withLock({ $0 }) else { throw error }
    }
  }

  private func flushPending(to input: SampleInput) throws {
    while let next = takePending() {
      do {
        guard try input.appendImmediately(next.share()) else { return settle(isDone: false) }
      } catch {
        // One that can't be written must not keep those after it from being tried.
        settle(isDone: true)
        throw error
      }
      note(next)
      settle(isDone: true)
    }
  }

  /// The first sample that waits to be handed over, for the one thread that does that.
  private func takePending() -> ReadySampleBuffer? {
    state.withLock { state in
      guard !state.isHanding, let next = state.pending.first else { return nil }
      state.isHanding = true
      return next
    }
  }

  /// Says that the thread has done with that sample, or that it waits on.
  private func settle(isDone: Bool) {
    state.withLock { state in
      if isDone { state.pending.removeFirst() }
      state.isHanding = false
    }
  }

  private func note(_ sample: ReadySampleBuffer) {
    let end =
      sample.duration.isNumeric
      ? sample.presentationTime + sample.duration : sample.presentationTime
    state.withLock { state in
      if end > state.reach { state.reach = end }
      let time = sample.presentationTime
      state.newest = max(state.newest ?? time, time)
      state.activity = .now
    }
  }

  /// How far the samples reach that were taken, in the movie's time.
  var reach: MediaTime {
    state.withLock { state in
      state.pending.map { $0.presentationTime + ($0.duration.isNumeric ? $0.duration : .zero) }
        .reduce(state.reach, max)
    }
  }

  /// A time of the movie that no sample that was taken is presented after, and all that come are; `nil`
  /// before the first. Packets of raw audio begin before it where they have any of that.
  var appendedUntil: MediaTime? {
    guard input.isVideo || !input.isRaw else {
      return reach > .zero ? reach - Self.rounding : nil
    }
    return newestTime.map { $0 + Self.rounding }
  }

  /// When the newest sample is presented that was taken, in the movie's time; `nil` before the first.
  var newestTime: MediaTime? {
    state.withLock { state in
      (state.pending.map(\.presentationTime) + [state.newest].compactMap(\.self)).max()
    }
  }

  /// Less than a sample of audio, and more than times are rounded by.
  private static let rounding = MediaTime(value: 2, timescale: 1_000_000)

  /// How far it has come, and since when it has got nothing; `nil` where it gets nothing more.
  var progress: (reach: MediaTime, idle: Duration)? {
    state.withLock { $0.hasFinished ? nil : ($0.reach, .now - $0.activity) }
  }
}
