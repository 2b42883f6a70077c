import GStreamer
import GraphKitSystem

/// The key frames that a sink asks of the encoders upstream: all of them are asked at the same
/// running times, so that what they make can be cut at the same places.
final class KeyFrameRequests: Sendable {
  private struct State {
    /// Times that were asked for one by one.
    var times: [Int64] = []
    /// The newest frame of each encoder.
    var reached: [Int64?] = []
  }

  private let grid: TimeGrid?
  private let state = Monitor(State())

  /// Requests at the multiples of an interval; `nil` for none but those of ``ask()``.
  init(every interval: MediaTime?) {
    grid = interval.flatMap { $0.isNumeric ? TimeGrid($0.nanosecondsClamped) : nil }
  }

  /// Asks the encoder that has this input.
  func follow(_ pad: Pad) {
    let number = state.withLock { state in
      state.reached.append(nil)
      return state.reached.count - 1
    }
    pad.demandKeyFrames { [self] time in isDue(time, of: number) }
  }

  /// Asks for a key frame after a time, or as soon as every encoder can make it at the same time; the
  /// time after which it comes, or `nil` where none was given and no encoder has had a frame.
  @discardableResult
  func ask(after time: MediaTime? = nil) -> MediaTime? {
    state.withLock { state in
      let newest = state.reached.compactMap(\.self).max()
      let times = [time?.nanosecondsClamped, newest].compactMap(\.self)
      guard !state.reached.isEmpty, let due = times.max() else { return nil }
      state.times.append(due)
      return MediaTime(nanoseconds: due)
    }
  }

  /// Whether the frame at a time is to be a key frame. An encoder's first is one anyway.
  private func isDue(_ time: Int64, of encoder: Int) -> Bool {
    state.withLock { state in
      defer {
        state.reached[encoder] = time
        let least = state.reached.map { $0 ?? .min }.min() ?? .min
        state.times.removeAll { $0 < least }
      }
      guard let last = state.reached[encoder], last < time else { return false }
      return grid.map { $0.cell(of: last) < $0.cell(of: time) } == true
        || state.times.contains { $0 >= last && $0 < time }
    }
  }
}
