import Synchronization

/// The moment from which all sources of a run that are to last a stated time count it: the first
/// picture of any of them, or the first sound as long as there is no picture. Times are
/// nanoseconds of running time.
final class CaptureSession: Sendable {
  private struct Starts {
    var picture: Int64?
    var sound: Int64?
  }
  private let starts = Mutex(Starts())

  /// Whether a sample belongs to a session of some length: whether at least half of it does.
  func takes(time: Int64, duration: Int64, isVideo: Bool, length: Int64) -> Bool {
    let start = starts.withLock { starts in
      if isVideo {
        if starts.picture == nil { starts.picture = time }
      } else if starts.sound == nil {
        starts.sound = time
      }
      return starts.picture ?? starts.sound ?? time
    }
    return time + duration / 2 < start + length
  }
}
