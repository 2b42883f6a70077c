import CGStreamer

extension Pad {
  /// Answers no question here for a length in samples or frames: GStreamer's reader of AIFF (1.22) would
  /// answer with one of another unit, of which GLib complains.
  package func refuseCounts() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
      { _, info, _ in
        guard let info = unsafe info, let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe query.pointee.type == GST_QUERY_DURATION
        else { return GST_PAD_PROBE_OK }
        var format = GST_FORMAT_UNDEFINED
        unsafe gst_query_parse_duration(query, &format, nil)
        return format == GST_FORMAT_DEFAULT ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, nil, nil)
  }
}
