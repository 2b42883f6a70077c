import CGStreamer
import GraphKitSystem

extension Element {
  /// Has the end of the stream wait at this sender of SRT for as long as its receiver holds back what came:
  /// a receiver throws away what it holds when the connection closes.
  ///
  /// `mayWait` is asked on the streaming thread, with the milliseconds that were waited. Where it says no
  /// before, `cut` gets how many are left.
  package func outlastReceiver(
    while mayWait: @escaping @Sendable (Int) -> Bool, cut: @escaping @Sendable (Int) -> Void
  ) {
    // It has the pad, so it is there for as long as anything passes.
    nonisolated(unsafe) let sender = unsafe raw
    pad("sink")?.onEndOfStream {
      guard let latency = unsafe Element(sinking: sender).receiverLatency else { return }
      var waited = 0
      // What was sent last is still on its way.
      while waited < latency + 50, mayWait(waited) {
        StreamingThread.nap(microseconds: 10_000)
        waited += 10
      }
      if waited < latency { cut(latency - waited) }
    }
  }

  /// How long receivers hold back what came, in milliseconds; `nil` where there is none. The element (1.22)
  /// says how long it would do so itself, which is as long unless only the receiver's own wait was set.
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
