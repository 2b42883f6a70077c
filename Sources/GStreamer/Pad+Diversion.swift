import CGStreamer

extension Pad {
  /// Lets `body` take every buffer off the pad, on its thread: it hands back one that is to pass, or
  /// says what became of it. `beforeEnd` is called before the stream's end passes.
  package func divert(
    _ body: @escaping @Sendable (consuming Buffer) -> Diverted,
    beforeEnd: @escaping @Sendable () -> Void
  ) {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box else { return GST_PAD_PROBE_OK }
        let diversion = unsafe Unmanaged<Diversion>.fromOpaque(box).takeUnretainedValue()
        return unsafe diversion.handle(info)
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
  private let body: @Sendable (consuming Buffer) -> Diverted
  private let beforeEnd: @Sendable () -> Void

  init(
    _ body: @escaping @Sendable (consuming Buffer) -> Diverted,
    _ beforeEnd: @escaping @Sendable () -> Void
  ) {
    (self.body, self.beforeEnd) = (body, beforeEnd)
  }

  func handle(_ info: UnsafeMutablePointer<GstPadProbeInfo>) -> GstPadProbeReturn {
    guard unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0,
      let data = unsafe info.pointee.data
    else {
      if let event = unsafe gst_pad_probe_info_get_event(info),
        unsafe event.pointee.type == GST_EVENT_EOS
      {
        beforeEnd()
      }
      return GST_PAD_PROBE_OK
    }
    // The probe's reference is the pad's own: it is taken, and one is given back, or none.
    switch body(unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))) {
    case .passes(let buffer):
      unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
      return GST_PAD_PROBE_OK
    case .isTaken(let flow):
      unsafe info.pointee.data = nil
      unsafe info.pointee.ABI.abi.flow_ret = flow.gst
      return GST_PAD_PROBE_HANDLED
    }
  }
}
