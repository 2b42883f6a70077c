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
        unsafe forgetRunningTimes(ofEncoderAt: pad)
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

/// Has an encoder that hasn't made a packet yet know no running time.
///
/// Those of x264 and x265 move times by 1,000 hours, so that none is below zero, and know how the running time
/// follows from them only with the first packet. `GstVideoEncoder` (1.22) notes the running time of each
/// request and passes over those that don't come later: one of before would be later than all
/// others. What isn't known it doesn't note.
private func forgetRunningTimes(ofEncoderAt pad: UnsafeMutablePointer<GstPad>) {
  guard let element = unsafe gst_pad_get_parent_element(pad) else { return }
  defer { unsafe gst_object_unref(element) }
  guard
    unsafe g_type_check_instance_is_a(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GTypeInstance.self),
      gst_video_encoder_get_type()) != 0
  else { return }
  let encoder = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(
    to: GstVideoEncoder.self)
  unsafe g_rec_mutex_lock(&encoder.pointee.stream_lock)
  defer { unsafe g_rec_mutex_unlock(&encoder.pointee.stream_lock) }
  if let event = unsafe gst_pad_get_sticky_event(encoder.pointee.srcpad, GST_EVENT_SEGMENT, 0) {
    unsafe gst_mini_object_unref(
      UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self))
  } else {
    // It is made anew with the first packet.
    unsafe encoder.pointee.output_segment.stop = 0
  }
}
