import CGStreamer

extension Pad {
  /// Has what comes in lists of buffers come as single ones, for all that looks at these.
  func passBuffersSingly() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER_LIST,
      { pad, info, _ in
        guard let pad = unsafe pad, let info = unsafe info,
          let list = unsafe info.pointee.data.map({ OpaquePointer($0) })
        else { return GST_PAD_PROBE_OK }
        var flow = GST_FLOW_OK
        for index in 0..<(unsafe gst_buffer_list_length(list)) where flow == GST_FLOW_OK {
          flow = unsafe gst_pad_push(pad, gst_buffer_ref(gst_buffer_list_get(list, index)))
        }
        unsafe gst_mini_object_unref(
          UnsafeMutableRawPointer(list).assumingMemoryBound(to: GstMiniObject.self))
        unsafe info.pointee.data = nil
        unsafe info.pointee.ABI.abi.flow_ret = flow
        return GST_PAD_PROBE_HANDLED
      }, nil, nil)
  }
}
