import CGStreamer

extension Pad {
  /// Asks `isDue` of each buffer that comes to an encoder's input, by its running time in
  /// nanoseconds, whether it is to be a key frame; the encoder then makes it one. Called on the
  /// streaming thread.
  package func demandKeyFrames(where isDue: @escaping @Sendable (Int64) -> Bool) {
    let box = unsafe Unmanaged.passRetained(Box(isDue)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data,
          let time = unsafe data.assumingMemoryBound(to: GstBuffer.self).pointee.pts.known
        else { return GST_PAD_PROBE_OK }
        let isDue = unsafe Unmanaged<Box<@Sendable (Int64) -> Bool>>.fromOpaque(box)
          .takeUnretainedValue().value
        let origin = unsafe Pad(retaining: pad).segmentOrigin
        let running = Int64(time) - origin
        guard isDue(running) else { return GST_PAD_PROBE_OK }
        // Without its time an encoder (1.22) would pass over it while another key frame is on its way.
        let none = clockTimeNone
        unsafe gst_pad_send_event(
          pad,
          gst_video_event_new_downstream_force_key_unit(
            none, none, GstClockTime(max(0, running)), 0, 0))
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
