import CGStreamer

extension Pad {
  /// Calls `body` when the end of the stream passes, on its thread.
  package func onEndOfStream(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box, let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let event = unsafe data.assumingMemoryBound(to: GstEvent.self)
        if unsafe event.pointee.type == GST_EVENT_EOS {
          unsafe Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(box).takeUnretainedValue().value()
        }
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
