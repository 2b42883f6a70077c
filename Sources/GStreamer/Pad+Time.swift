import CGStreamer

/// Whether a buffer is to be reported, and the function to report it to.
private typealias Listener = (isWanted: @Sendable () -> Bool, body: @Sendable (Int64?) -> Void)

extension Pad {
  /// Calls `body` before each buffer that passes while `isWanted`, on its thread, with the buffer's
  /// running time in nanoseconds, where it has one.
  package func beforeBuffer(
    where isWanted: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int64?) -> Void
  ) {
    let box = unsafe Unmanaged.passRetained(Box<Listener>((isWanted, body))).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, box in
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let (isWanted, body) = unsafe Unmanaged<Box<Listener>>.fromOpaque(box)
          .takeUnretainedValue().value
        guard isWanted() else { return GST_PAD_PROBE_OK }
        let time = unsafe data.assumingMemoryBound(to: GstBuffer.self).pointee.pts
        let origin = unsafe Pad(retaining: pad).segmentOrigin
        body(time.known.map { Int64($0) - origin })
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }

  /// The timestamp at which the buffers that pass now have running time zero.
  var segmentOrigin: Int64 {
    guard let event = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_SEGMENT, 0) else { return 0 }
    return unsafe Event(taking: event).segmentOrigin ?? 0
  }
}
