import CGStreamer

extension Pad {
  /// Lets `body` take every buffer off the pad, on its thread: it hands back one that is to pass, or
  /// says what became of it. `beforeEnd` is called before the stream's end passes. Both get the pad: one
  /// that they kept would keep itself.
  package func divert(
    _ body: @escaping @Sendable (Pad, consuming Buffer) -> Diverted,
    beforeEnd: @escaping @Sendable (Pad) -> Void
  ) {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box else {
          return GST_PAD_PROBE_OK
        }
        let diversion = unsafe Unmanaged<Diversion>.fromOpaque(box).takeUnretainedValue()
        return unsafe diversion.handle(info, of: pad)
      }, Unmanaged.passRetained(Diversion(body, beforeEnd)).toOpaque(),
      { box in unsafe releaseBox(box) })
  }
}

/// What becomes of a buffer that was taken off a pad.
package enum Diverted: ~Copyable {
  case passes(Buffer)
  /// It is gone; this is the producer's answer.
  case isTaken(Flow)
}

private final class Diversion: Sendable {
  private let body: @Sendable (Pad, consuming Buffer) -> Diverted
  private let beforeEnd: @Sendable (Pad) -> Void

  init(
    _ body: @escaping @Sendable (Pad, consuming Buffer) -> Diverted,
    _ beforeEnd: @escaping @Sendable (Pad) -> Void
  ) {
    (self.body, self.beforeEnd) = (body, beforeEnd)
  }

  func handle(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, of pad: UnsafeMutablePointer<GstPad>
  ) -> GstPadProbeReturn {
    guard unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0,
      let data = unsafe info.pointee.data
    else {
      if let event = unsafe gst_pad_probe_info_get_event(info),
        unsafe event.pointee.type == GST_EVENT_EOS
      {
        // The pad counts as ended by now, and would take nothing that is to come before.
        unsafe setEnded(pad, false)
        beforeEnd(unsafe Pad(retaining: pad))
        unsafe setEnded(pad, true)
      }
      return GST_PAD_PROBE_OK
    }
    // The probe's reference is the pad's own: it is taken, and one is given back, or none.
    let buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
    switch body(unsafe Pad(retaining: pad), buffer) {
    case .passes(let buffer):
      unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
      return GST_PAD_PROBE_OK
    case .isTaken(let flow):
      unsafe info.pointee.data = nil
      unsafe info.pointee.ABI.abi.flow_ret = flow.gst
      return GST_PAD_PROBE_HANDLED
    }
  }

  private func setEnded(_ pad: UnsafeMutablePointer<GstPad>, _ isEnded: Bool) {
    unsafe g_mutex_lock(&pad.pointee.object.lock)
    defer { unsafe g_mutex_unlock(&pad.pointee.object.lock) }
    let flag = GST_PAD_FLAG_EOS.rawValue
    unsafe pad.pointee.object.flags =
      isEnded ? pad.pointee.object.flags | flag : pad.pointee.object.flags & ~flag
  }
}
