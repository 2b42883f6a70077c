import CGStreamer

extension Pad {
  /// Has the elements before this output go on at a time of their stream, in nanoseconds, or at a key
  /// frame before it; `false` where they can't.
  ///
  /// What is on its way is flushed: the call waits for their streaming threads, so it may not be made
  /// on one.
  package func seek(to time: UInt64) -> Bool {
    let event = unsafe gst_event_new_seek(
      1, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, gint64(min(time, .timeLimit)),
      GST_SEEK_TYPE_NONE, -1)
    return unsafe gst_pad_send_event(raw, event) != 0
  }

  /// The time of the stream, which a seek counts in, of a time that the buffers of this output have;
  /// in nanoseconds. By the segment of the elements themselves, whatever probes put in its place.
  package func streamTime(of time: UInt64) -> UInt64? {
    guard let event = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_SEGMENT, 0) else { return nil }
    defer { unsafe gst_event_unref(event) }
    var segment = GstSegment()
    unsafe gst_event_copy_segment(event, &segment)
    guard segment.format == GST_FORMAT_TIME, segment.rate == 1, segment.time.known != nil else {
      return nil
    }
    let past = Int64(min(time, .timeLimit)) - Int64(min(segment.start, .timeLimit))
    return UInt64(max(0, past + Int64(min(segment.time, .timeLimit))))
  }
}
