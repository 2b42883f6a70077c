import CGStreamer

/// Buffers of one size that come back when their last reference is gone.
@safe package final class BufferPool: @unchecked Sendable {
  // Unchecked because a GstBufferPool locks itself.
  private let raw: UnsafeMutablePointer<GstBufferPool>

  /// A pool of buffers of `size` bytes. It makes them as they are asked for, at most `limit` of
  /// them, or any number where `limit` is `nil`.
  package init(caps: Caps, size: Int, limit: Int?) {
    Library.startCore()
    // Never nil: the type is built in.
    unsafe raw = gst_buffer_pool_new()
    let most = limit.map { guint(clamping: max(1, $0)) } ?? 0
    let settings = unsafe gst_buffer_pool_get_config(raw)
    unsafe gst_buffer_pool_config_set_params(settings, caps.raw, guint(clamping: size), 0, most)
    unsafe gst_buffer_pool_set_config(raw, settings)
    unsafe gst_buffer_pool_set_active(raw, 1)
  }

  deinit {
    // Buffers that are still about keep the pool's memory until they are gone.
    unsafe gst_buffer_pool_set_active(raw, 0)
    unsafe gst_object_unref(raw)
  }

  /// A buffer; `nil` where all are taken.
  package func take() -> Buffer? {
    var options = GstBufferPoolAcquireParams()
    options.flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
    var buffer: UnsafeMutablePointer<GstBuffer>?
    guard unsafe gst_buffer_pool_acquire_buffer(raw, &buffer, &options) == GST_FLOW_OK else {
      return nil
    }
    Handover.take()
    return unsafe buffer.map { unsafe Buffer(taking: $0) }
  }

  /// A buffer, as soon as one is free. Blocks the thread; `nil` only where memory can't be had.
  package func takeWhenFree() -> Buffer? {
    var buffer: UnsafeMutablePointer<GstBuffer>?
    guard unsafe gst_buffer_pool_acquire_buffer(raw, &buffer, nil) == GST_FLOW_OK else {
      return nil
    }
    Handover.take()
    return unsafe buffer.map { unsafe Buffer(taking: $0) }
  }
}
