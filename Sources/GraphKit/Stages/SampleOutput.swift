import GStreamer
import GraphKitSystem

/// Where samples leave a running graph for the program: an `appOutput` node's reading end.
///
/// A program that doesn't read holds the graph back: the wire fills and upstream waits, as it does
/// for every sink. One task reads at a time.
public final class SampleOutput: Sendable {
  let group: WireGroup
  let index: Int
  private let state = Monitor(State())
  private let onEnd: @Sendable () -> Void

  private struct State: Sendable {
    var format: FormatDescription?
    var hasEnded = false
    var isAskedFor = false
    var origin: Int64 = 0
    /// What the stream has said of itself and of its file since that was taken.
    var tags: [Bool: StreamTags] = [:]
  }

  init(group: WireGroup, index: Int, onEnd: @escaping @Sendable () -> Void) {
    self.group = group
    self.index = index
    self.onEnd = onEnd
  }

  /// Whether the program has asked for this end.
  var isAskedFor: Bool { state.withLock { $0.isAskedFor } }

  /// The same, which the program has asked for.
  func askedFor() -> SampleOutput {
    state.withLock { $0.isAskedFor = true }
    return self
  }

  /// The next sample, which then belongs to the caller, as soon as there is one; `nil` at the end of
  /// the stream, and where the pipeline or the task ended before. How the pipeline ended, its
  /// ``Pipeline/report()`` says.
  public func next() async -> SampleBuffer? {
    while !Task.isCancelled {
      if let sample = nextIfAvailable() { return sample }
      if state.withLock({ $0.hasEnded }) || group.isStopped(index) { return nil }
      await waitForItem()
    }
    return nil
  }

  /// The next sample for a thread that may wait, which none is that Swift's tasks run on; `nil` where
  /// ``next()`` is.
  package func waitForNext() -> SampleBuffer? {
    while true {
      if let sample = nextIfAvailable() { return sample }
      if hasEnded || group.isStopped(index) { return nil }
      let hasCome = Monitor(false)
      group.whenItemComes(index) {
        hasCome.withLock { $0 = true }
        hasCome.wakeAll()
      }
      hasCome.withLock { state in
        while !state { hasCome.wait(&state) }
      }
    }
  }

  /// The next sample, waiting for so long at most: `nil` where none has come, or none will.
  package func waitForNext(milliseconds: UInt64) -> SampleBuffer? {
    if let sample = nextIfAvailable() { return sample }
    if hasEnded || group.isStopped(index) { return nil }
    let hasCome = Monitor(false)
    group.whenItemComes(index) {
      hasCome.withLock { $0 = true }
      hasCome.wakeAll()
    }
    hasCome.withLock { state in
      if !state { hasCome.wait(&state, nanoseconds: milliseconds * 1_000_000) }
    }
    return nextIfAvailable()
  }

  /// Calls `body` once, when there may be a next sample or the stream has come to its end.
  package func whenNextComes(_ body: @escaping @Sendable () -> Void) {
    group.whenItemComes(index, body)
  }

  /// Whether no sample follows those that were given, since the pipeline has ended.
  package var isStopped: Bool { group.isStopped(index) }

  /// Whether the stream has come to its end, and all of it was given.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The next sample where there is one now, without waiting.
  public func nextIfAvailable() -> SampleBuffer? {
    while let item = group.takeIfAvailable(index) {
      switch consume item {
      case .buffer(let buffer):
        let (format, origin) = state.withLock { ($0.format, $0.origin) }
        guard let format else { continue }
        return SampleBuffer(entering: buffer, format: format, origin: origin)
      case .event(let event):
        if let origin = event.segmentOrigin { state.withLock { $0.origin = origin } }
        take(event.kind, ofFile: event.areTagsOfFile)
      }
    }
    return nil
  }

  /// What the stream has said of itself, and its file, before the sample that was given last, and after
  /// the one before it.
  package func takeTags() -> [StreamTags] {
    state.withLock { state in
      defer { state.tags = [:] }
      return [true, false].compactMap { state.tags[$0] }
    }
  }

  private func take(_ event: Event.Kind, ofFile: Bool) {
    switch event {
    case .tags(let texts, let pictures):
      let tags = StreamTags(texts, pictures, ofFile: ofFile)
      state.withLock { $0.tags[ofFile] = tags }
    case .caps(let caps):
      let format = FormatDescription(caps: caps)
      state.withLock { $0.format = format }
    case .endOfStream:
      state.withLock { $0.hasEnded = true }
      onEnd()
    default: break
    }
  }

  private func waitForItem() async {
    let waiter = Waiter()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter.set(continuation)
        group.whenItemComes(index) { waiter.resume() }
      }
    } onCancel: {
      waiter.resume()
    }
  }
}
