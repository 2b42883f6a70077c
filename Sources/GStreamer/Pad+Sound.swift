import CGStreamer

extension Pad {
  /// Makes silence of floating-point samples that aren't finite numbers, as they pass: a filter
  /// would spread them.
  package func silenceNonNumbers() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, _ in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let data = unsafe info.pointee.data,
          let caps = unsafe gst_pad_get_current_caps(pad)
        else { return GST_PAD_PROBE_OK }
        defer { unsafe gst_caps_unref(caps) }
        guard
          let format = unsafe gst_structure_get_string(gst_caps_get_structure(caps, 0), "format")
        else { return GST_PAD_PROBE_OK }
        // The probe's reference is the pad's own: it is taken, and one is given back.
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        switch unsafe String(cString: format) {
        case "F32LE": buffer.silenceNonNumbers(Float.self)
        case "F64LE": buffer.silenceNonNumbers(Double.self)
        default: break
        }
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        return GST_PAD_PROBE_OK
      }, nil, nil)
  }
}

extension Buffer {
  /// What is as it should be stays shared.
  fileprivate mutating func silenceNonNumbers<Sample: BinaryFloatingPoint & BitwiseCopyable>(
    _ type: Sample.Type
  ) {
    guard hasNonNumbers(type), var map = MutableBufferMap(&self) else { return }
    let count = map.size / MemoryLayout<Sample>.stride
    var samples = map.mutableSpan(of: type, from: 0, count: count)
    for index in samples.indices where !samples[index].isFinite { samples[index] = 0 }
  }

  private borrowing func hasNonNumbers<Sample: BinaryFloatingPoint & BitwiseCopyable>(
    _ type: Sample.Type
  ) -> Bool {
    guard let map = BufferMap(self) else { return false }
    let samples = map.span(of: type, from: 0, count: map.size / MemoryLayout<Sample>.stride)
    return samples.indices.contains { !samples[$0].isFinite }
  }
}
