import CGStreamer

extension Pad {
  /// Asks `isDue` of each buffer that comes to a muxer's input, by its running time in nanoseconds, whether
  /// what is written begins anew with it; so does what is written after the end of the stream. Called on the
  /// streaming thread.
  ///
  /// A muxer takes the request for the packet that it writes next, of whichever input.
  package func demandBeginnings(where isDue: @escaping @Sendable (Int64) -> Bool) {
    let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    let box = unsafe Unmanaged.passRetained(Box(isDue)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let isDue = unsafe Unmanaged<Box<@Sendable (Int64) -> Bool>>.fromOpaque(box)
          .takeUnretainedValue().value
        if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
          let time = unsafe data.assumingMemoryBound(to: GstBuffer.self).pointee.pts.known
          let origin = unsafe Pad(retaining: pad).segmentOrigin
          guard let time, isDue(Int64(clamping: time) &- origin) else { return GST_PAD_PROBE_OK }
        } else {
          let type = unsafe data.assumingMemoryBound(to: GstEvent.self).pointee.type
          guard type == GST_EVENT_EOS else { return GST_PAD_PROBE_OK }
        }
        let none = clockTimeNone
        unsafe gst_pad_send_event(
          pad, gst_video_event_new_downstream_force_key_unit(none, none, none, 0, 0))
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
