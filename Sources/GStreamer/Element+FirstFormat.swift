import CGStreamer
import GraphKitSystem

extension Element {
  /// Has a `capsfilter` pass only the format that passes first, so that the converters before it convert
  /// what comes later to it.
  package func keepFirstFormat() {
    let isKept = Monitor(false)
    pad("src")?.guardFormat { pad, caps in
      let wasKept = isKept.withLock { isKept in
        defer { isKept = true }
        return isKept
      }
      guard !wasKept, let filter = unsafe gst_pad_get_parent_element(pad.raw) else { return true }
      defer { unsafe gst_object_unref(filter) }
      unsafe gst_util_set_object_arg(
        UnsafeMutableRawPointer(filter).assumingMemoryBound(to: GObject.self), "caps",
        caps.description)
      return true
    }
  }
}
