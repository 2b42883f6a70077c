import CGStreamer

/// Values that a buffer's memory is made of. They are never written to here, so they stay where
/// they are for as long as this lives.
private final class HeldValues: Sendable {
  let values: [Int16]

  init(_ values: consuming [Int16]) { self.values = values }

  var start: UnsafePointer<Int16>? { unsafe values.withUnsafeBufferPointer { $0.baseAddress } }
}

extension Buffer {
  /// A buffer whose memory is an array's own, without a copy; an element that writes to it gets
  /// one.
  package init(holding values: consuming [Int16]) {
    let held = HeldValues(values)
    guard let start = unsafe held.start, !held.values.isEmpty else {
      self.init(size: 0)
      return
    }
    Library.startCore()
    let size = gsize(held.values.count * MemoryLayout<Int16>.stride)
    let memory = unsafe gst_memory_new_wrapped(
      GST_MEMORY_FLAG_READONLY, UnsafeMutableRawPointer(mutating: start), size, 0, size,
      Unmanaged.passRetained(held).toOpaque()
    ) { held in
      guard let held = unsafe held else { return }
      unsafe Unmanaged<HeldValues>.fromOpaque(held).release()
    }
    unsafe self.init(taking: gst_buffer_new()!)
    unsafe gst_buffer_append_memory(raw, memory)
    attachment = held
  }

  /// The array that the buffer's memory is; `nil` where it is anything else, as after writing.
  package var heldValues: [Int16]? {
    guard let held = attachment as? HeldValues, let map = BufferMap(self),
      map.address == (unsafe UInt(bitPattern: held.start)),
      map.size == held.values.count * MemoryLayout<Int16>.stride
    else { return nil }
    return held.values
  }
}
