import CGStreamer
import GraphKitSystem

extension Pad {
  /// Has video whose frames come at no rate pass as if they came at 25 a second.
  package func completeRate() { complete { $0.withRate } }

  /// Has video of so many frames a second that they can only be units in which time is counted pass as
  /// video of a varying rate. What enters its parser by `sink` may be said to be a little faster: a file
  /// around it that says a rate has counted its frames.
  func forgetTickRates(of sink: Pad) {
    let isStated = Monitor(false)
    sink.complete { caps in
      isStated.withLock { $0 = caps.frameRate != nil }
      return nil
    }
    complete { $0.withoutTickRate(from: isStated.withLock { $0 } ? mostFrames + 1 : mostFrames) }
  }
}

/// Frames a second at most: what counts milliseconds, or smaller units, doesn't count frames.
private let mostFrames = 1_000

extension Caps {
  /// The same with a frame rate; `nil` where they have one.
  fileprivate var withRate: Caps? {
    frameRate?.numerator ?? 0 == 0 ? settingRate(25) : nil
  }

  /// The same at a varying rate, where they say so many frames a second or more; `nil` of others.
  fileprivate func withoutTickRate(from limit: Int) -> Caps? {
    guard let (numerator, denominator) = frameRate, denominator > 0,
      numerator / denominator >= limit
    else { return nil }
    return settingRate(0)
  }

  private func settingRate(_ rate: Int32) -> Caps? {
    guard let copy = unsafe gst_caps_copy(raw) else { return nil }
    var value = GValue()
    unsafe g_value_init(&value, gst_fraction_get_type())
    unsafe gst_value_set_fraction(&value, rate, 1)
    defer { unsafe g_value_unset(&value) }
    unsafe gst_caps_set_value(copy, "framerate", &value)
    return unsafe Caps(taking: copy)
  }
}
