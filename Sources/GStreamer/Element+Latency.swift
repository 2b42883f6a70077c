import CGStreamer
import GraphKitSystem

extension Element {
  /// Has the end of the stream wait at this sender of SRT for as long as its receiver holds back what came,
  /// at most for so many milliseconds: a receiver throws away what it holds when the connection closes.
  package func outlastReceiver(atMost limit: Int) {
    // It has the pad, so it is there for as long as anything passes.
    nonisolated(unsafe) let sender = unsafe raw
    pad("sink")?.onEndOfStream {
      guard let latency = unsafe Element(sinking: sender).receiverLatency else { return }
      // What was sent last is still on its way.
      StreamingThread.nap(microseconds: UInt32(1_000 * min(limit, latency + 50)))
    }
  }

  /// How long receivers hold back what came, in milliseconds; `nil` where there is none.
  private var receiverLatency: Int? {
    var value = GValue()
    unsafe g_value_init(&value, gst_structure_get_type())
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(gobject(raw), "stats", &value)
    guard let structure = unsafe gst_value_get_structure(&value) else { return nil }
    var latency: gint = 0
    if unsafe gst_structure_get_int(structure, "negotiated-latency-ms", &latency) != 0 {
      return Int(latency)
    }
    return unsafe Self.latencies(ofCallers: structure).max()
  }

  private static func latencies(ofCallers structure: UnsafePointer<GstStructure>) -> [Int] {
    guard let value = unsafe gst_structure_get_value(structure, "callers"),
      let boxed = unsafe g_value_get_boxed(value)
    else { return [] }
    let callers = unsafe boxed.assumingMemoryBound(to: GValueArray.self).pointee
    return unsafe (0..<Int(callers.n_values)).compactMap { index in
      var latency: gint = 0
      guard let values = unsafe callers.values,
        let caller = unsafe gst_value_get_structure(values + index),
        unsafe gst_structure_get_int(caller, "negotiated-latency-ms", &latency) != 0
      else { return nil }
      return Int(latency)
    }
  }
}
