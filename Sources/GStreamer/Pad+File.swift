import CGStreamer

/// What the pad of an element that reads a file shows of it.
extension Pad {
  /// Has a demuxer read bytes in place of the file's own, by offset, and take the file to end at an
  /// offset.
  package func showFile(patches: [Int: [UInt8]], end: Int?) {
    if let end { endFile(at: end) }
    guard !patches.isEmpty else { return }
    replaceBuffers { buffer in
      guard let start = buffer.fileOffset.flatMap({ Int(exactly: $0) }) else { return buffer }
      var buffer = buffer
      for (place, bytes) in patches { buffer.overwrite(bytes, at: place - start) }
      return buffer
    }
  }

  /// Answers in place of the element how long its file is. More can still be read: a demuxer that
  /// chooses what it reads asks for the length first.
  private func endFile(at end: Int) {
    let box = unsafe Unmanaged.passRetained(Box(gint64(end))).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box,
          let query = unsafe gst_pad_probe_info_get_query(info),
          unsafe query.pointee.type == GST_QUERY_DURATION
        else { return GST_PAD_PROBE_OK }
        var format = GST_FORMAT_UNDEFINED
        unsafe gst_query_parse_duration(query, &format, nil)
        guard format == GST_FORMAT_BYTES else { return GST_PAD_PROBE_OK }
        let end = unsafe Unmanaged<Box<gint64>>.fromOpaque(box).takeUnretainedValue().value
        unsafe gst_query_set_duration(query, GST_FORMAT_BYTES, end)
        return GST_PAD_PROBE_HANDLED
      }, box, { box in unsafe releaseBox(box) })
  }
}

extension Buffer {
  /// Writes bytes at an offset, as far as they are in the buffer.
  fileprivate mutating func overwrite(_ new: [UInt8], at offset: Int) {
    guard offset > -new.count, offset < size, var map = MutableBufferMap(&self) else { return }
    var bytes = map.mutableSpan(of: UInt8.self, from: 0, count: map.size)
    for index in new.indices where bytes.indices.contains(offset + index) {
      bytes[offset + index] = new[index]
    }
  }
}
