import CGStreamer

/// What the pads of a muxer need.
extension Pad {
  /// Calls `body` once, with the times of the first buffer that has a presentation time: running
  /// times in nanoseconds, of which that of decoding may lie before 0. On the streaming thread,
  /// before the buffer arrives.
  package func onFirstTime(
    _ body: @escaping @Sendable (_ presentation: Int64, _ decode: Int64?) -> Void
  ) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data,
          let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
        else { return GST_PAD_PROBE_OK }
        defer { unsafe gst_event_unref(event) }
        let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
        var segment: UnsafePointer<GstSegment>?
        unsafe gst_event_parse_segment(event, &segment)
        guard let segment = unsafe segment,
          let presentation = unsafe runningTime(of: buffer.pointee.pts, in: segment)
        else { return GST_PAD_PROBE_OK }
        unsafe Unmanaged<Box<@Sendable (Int64, Int64?) -> Void>>.fromOpaque(box)
          .takeUnretainedValue()
          .value(presentation, unsafe runningTime(of: buffer.pointee.dts, in: segment))
        return GST_PAD_PROBE_REMOVE
      }, box, { box in unsafe releaseBox(box) })
  }

  /// Lets `body` choose what becomes of every buffer, on its thread: what it returns passes in the
  /// buffer's place.
  package func replaceBuffers(_ body: @escaping @Sendable (consuming Buffer) -> Buffer?) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box, let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        // The probe's reference is the pad's own: it is taken, and one is given back, or none.
        let buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        let next = unsafe Unmanaged<Box<@Sendable (consuming Buffer) -> Buffer?>>.fromOpaque(box)
          .takeUnretainedValue().value(buffer)
        guard let next else {
          unsafe info.pointee.data = nil
          return GST_PAD_PROBE_HANDLED
        }
        unsafe info.pointee.data = UnsafeMutableRawPointer(next.release())
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }

  /// Answers in place of the linked element that it can't seek, so that nothing is rewritten.
  package func refuseSeeking() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      { _, info, _ in
        guard let info = unsafe info, let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe query.pointee.type == GST_QUERY_SEEKING
        else { return GST_PAD_PROBE_OK }
        unsafe gst_query_set_seeking(query, GST_FORMAT_BYTES, 0, 0, -1)
        return GST_PAD_PROBE_HANDLED
      }, nil, nil)
  }
}

/// A time of a buffer as running time; negative where it is before the segment.
private func runningTime(of time: GstClockTime, in segment: UnsafePointer<GstSegment>) -> Int64? {
  var running: guint64 = 0
  guard time.known != nil, unsafe segment.pointee.format == GST_FORMAT_TIME else { return nil }
  let sign = unsafe gst_segment_to_running_time_full(
    segment, GST_FORMAT_TIME, time, &running)
  return sign == 0 ? nil : Int64(clamping: running) * Int64(sign)
}
