import CGStreamer

extension Buffer {
  /// Whether this is the only reference to the memory, so that writing to it copies nothing.
  package var ownsMemory: Bool {
    // Several pieces of memory are joined to be written, which is a copy in any case.
    guard unsafe gst_buffer_n_memory(raw) == 1, let memory = unsafe gst_buffer_peek_memory(raw, 0)
    else { return true }
    let isReadOnly =
      unsafe memory.pointee.mini_object.flags & GST_MINI_OBJECT_FLAG_LOCK_READONLY.rawValue != 0
    return unsafe !isReadOnly && gst_buffer_is_all_memory_writable(raw) != 0
  }

  /// Takes over all that another buffer says of its memory, but for where planes lie in it.
  package mutating func describe(as other: borrowing Buffer) {
    makeWritable()
    let what = GstBufferCopyFlags(
      GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
        | GST_BUFFER_COPY_META.rawValue)
    unsafe gst_buffer_copy_into(raw, other.raw, what, 0, gsize.max)
    while let layout = unsafe gst_buffer_get_video_meta(raw),
      unsafe gst_buffer_remove_meta(raw, &layout.pointee.meta) != 0
    {}
  }
}
