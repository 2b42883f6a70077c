import CGStreamer

extension Element {
  /// Has this pipeline say of every sink when that has come to its end, as ``Bus/Message/sinkEnded(_:)``.
  ///
  /// What it says by itself when all have can't be relied on (1.22): it forgets the ends from before
  /// a pause, and where it starts by steps, two threads say that it is paused and that it plays. If
  /// that order is the wrong one it takes itself for paused, and never says anything.
  package func forwardEnds() { _ = set("message-forward", "true") }

  /// A sink of this pipeline whose name isn't among `names`; `nil` where there is none.
  package func sink(notIn names: Set<String>) -> String? {
    guard let iterator = unsafe gst_bin_iterate_sinks(bin(raw)) else { return nil }
    return unsafe Element.all(of: iterator).lazy.map(\.name).first { !names.contains($0) }
  }
}

extension Bus.Message {
  /// The sink whose end a pipeline has forwarded.
  static func endedSink(_ message: UnsafeMutablePointer<GstMessage>) -> String? {
    guard unsafe gst_message_has_name(message, "GstBinForwarded") != 0,
      let value = unsafe gst_structure_get_value(gst_message_get_structure(message), "message"),
      let boxed = unsafe g_value_get_boxed(value)
    else { return nil }
    let forwarded = unsafe boxed.assumingMemoryBound(to: GstMessage.self)
    guard unsafe forwarded.pointee.type == GST_MESSAGE_EOS else { return nil }
    return unsafe source(forwarded)
  }
}
