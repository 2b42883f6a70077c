import CGStreamer

extension Element {
  /// Whether a thread works for any pad in the pipeline, of elements inside of others as well.
  package var hasActiveTask: Bool {
    let bin = unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self)
    guard let iterator = unsafe gst_bin_iterate_recurse(bin) else { return false }
    defer { unsafe gst_iterator_free(iterator) }
    var isActive = false
    let visit: GstIteratorForeachFunction = { value, isActive in
      guard let element = unsafe g_value_get_object(value) else { return }
      unsafe gst_element_foreach_pad(
        element.assumingMemoryBound(to: GstElement.self),
        { _, pad, isActive in
          if unsafe gst_pad_get_task_state(pad) == GST_TASK_STARTED {
            unsafe isActive?.assumingMemoryBound(to: Bool.self).pointee = true
          }
          return 1
        }, isActive)
    }
    // Elements that come or go meanwhile mean that there is work.
    let result = unsafe gst_iterator_foreach(iterator, visit, &isActive)
    return isActive || result != GST_ITERATOR_DONE
  }
}

extension Pad {
  /// Whether a thread works for the pad that this one is linked to.
  package var peerHasActiveTask: Bool {
    guard let peer = unsafe gst_pad_get_peer(raw) else { return false }
    defer { unsafe gst_object_unref(peer) }
    return unsafe gst_pad_get_task_state(peer) == GST_TASK_STARTED
  }
}
