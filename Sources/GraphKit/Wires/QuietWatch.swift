import GStreamer
import System

/// Watches whether a run that is to end has come to rest: for some time nothing has moved, and
/// hardly any thread did anything. An encoder that has much to do may be long with a frame.
struct QuietWatch {
  /// For how long, in seconds.
  let time: Double
  /// After how long it doesn't matter whether threads work; `nil` for never.
  let mostTime: Double?
  private var progress: Int?
  private var since = ContinuousClock.now
  private var looks = 0
  private var busyLooks = 0

  init(_ time: Double, most: Double? = nil) { (self.time, mostTime) = (time, most) }

  /// Begins anew.
  mutating func reset() { self = QuietWatch(time, most: mostTime) }

  /// Takes how far the run is; whether it has come to rest.
  mutating func isQuiet(
    progress now: Int, isBusy: () -> Bool = { Machine.hasWorkingThread }
  ) -> Bool {
    guard now == progress else {
      reset()
      progress = now
      return false
    }
    looks += 1
    if isBusy() { busyLooks += 1 }
    let still = ContinuousClock.now - since
    if let mostTime, still > .seconds(mostTime) { return true }
    return still > .seconds(time) && busyLooks * 2 < looks
  }
}
