import Synchronization

/// Where a program sees what a graph shows at the moment: the reading end of a `preview` node.
///
/// It always gives the newest frame. A slow reader, or none at all, holds nothing up: the frames in
/// between are dropped, and counted as `superseded` in the report. One task reads at a time.
public final class PreviewOutput: Sendable {
  private let output: SampleOutput
  private let scaler: FrameScaler
  private let state: Mutex<State>

  private struct State: ~Copyable {
    var limiter: FrameLimiter
    /// The newest frame, where it came too soon after the one that was given.
    var latest: SampleBuffer?
  }

  init(_ output: SampleOutput, _ settings: PreviewSettings) {
    self.output = output
    scaler = FrameScaler(settings.pixelFormat, width: settings.width, height: settings.height)
    state = Mutex(State(limiter: FrameLimiter(frameRate: settings.maxFrameRate)))
  }

  /// The newest frame that hasn't been given; waits for one. The last is that with which the stream
  /// ends. `nil` at the end of the stream, and where the pipeline or the task ended before.
  public func next() async -> SampleBuffer? {
    while let sample = await output.next() {
      if let frame = shown(sample) { return frame }
    }
    return last()
  }

  /// The newest frame, where there is one that hasn't been given.
  public func latestFrame() -> SampleBuffer? {
    while let sample = output.nextIfAvailable() {
      if let frame = shown(sample) { return frame }
    }
    return last()
  }

  private func shown(_ sample: consuming SampleBuffer) -> SampleBuffer? {
    let time = sample.presentationTime
    guard state.withLock({ $0.limiter.takes(time) }) else {
      keep(sample)
      return nil
    }
    keep(nil)
    // The port takes no format that can't be converted.
    return try? scaler.frame(of: sample)
  }

  private func keep(_ sample: consuming SampleBuffer?) {
    var sample = sample
    state.withLock { $0.latest = sample.take() }
  }

  /// What was kept back, once no other comes.
  private func last() -> SampleBuffer? {
    guard output.hasEnded, let sample = state.withLock({ $0.latest.take() }) else { return nil }
    return try? scaler.frame(of: sample)
  }
}
