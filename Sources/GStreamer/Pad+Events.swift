import CGStreamer

extension Pad {
  /// Has what `body` makes of an event that goes downstream pass in its place; `nil` leaves it as it is.
  /// It is called on the pad's streaming thread.
  func replaceEvents(_ body: @escaping (UnsafeMutablePointer<GstEvent>) -> Event?) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box,
          let event = unsafe gst_pad_probe_info_get_event(info)
        else { return GST_PAD_PROBE_OK }
        let body = unsafe Unmanaged<Box<(UnsafeMutablePointer<GstEvent>) -> Event?>>.fromOpaque(box)
          .takeUnretainedValue().value
        if let other = unsafe body(event) { unsafe other.replace(event, in: info) }
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
