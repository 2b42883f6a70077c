import CGStreamer

/// How far a stream has come, in nanoseconds; touched on its streaming thread alone.
final class StreamExtent {
  /// Where the last of its samples ends, in the stream's own time.
  var end: UInt64 = 0
  /// How long its samples are together: those of a broken file may all say the same time.
  var length: UInt64 = 0
  let body: @Sendable (UInt64) -> Void

  init(_ body: @escaping @Sendable (UInt64) -> Void) { self.body = body }

  func add(_ time: UInt64, _ duration: UInt64) {
    let duration = duration.known ?? 0
    // Each is one that a stream can have, but a damaged file has as many of them as it likes.
    length = min(length + duration, .timeLimit)
    if let time = time.known { end = max(end, time + duration) }
  }
}

extension Pad {
  /// Calls `body` at the end of the stream, on its thread, with the time at which its samples
  /// ended, in its own time in nanoseconds; not where the consumer stopped taking samples before
  /// the end.
  package func onOwnEnd(_ body: @escaping @Sendable (_ end: UInt64) -> Void) {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let extent = unsafe Unmanaged<StreamExtent>.fromOpaque(box).takeUnretainedValue()
        if unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
          let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
          unsafe extent.add(UInt64(buffer.pointee.pts), UInt64(buffer.pointee.duration))
        } else if unsafe data.assumingMemoryBound(to: GstEvent.self).pointee.type == GST_EVENT_EOS,
          unsafe Pad(retaining: pad).peerTakesMore
        {
          extent.body(max(extent.end, extent.length))
        }
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(StreamExtent(body)).toOpaque(), { box in unsafe releaseBox(box) })
  }

  /// Whether what the pad is linked to took the last sample, if any. The pad itself is over once it
  /// has the end to hand on.
  private var peerTakesMore: Bool {
    guard let peer = unsafe gst_pad_get_peer(raw) else { return false }
    return unsafe gst_pad_get_last_flow_return(Pad(taking: peer).raw) == GST_FLOW_OK
  }
}
