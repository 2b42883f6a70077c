import CGStreamer

extension Pad {
  /// Lets `body` choose what becomes of every buffer, on its thread: what it returns passes in the
  /// buffer's place. With `arePushed` not of those that its element pulls, which it asks for by their place
  /// and size.
  package func replaceBuffers(
    arePushed: Bool = false, _ body: @escaping @Sendable (consuming Buffer) -> Buffer?
  ) {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | (arePushed ? GST_PAD_PROBE_TYPE_PUSH.rawValue : 0)
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box, let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        // The probe's reference is the pad's own: it is taken, and one is given back, or none.
        let buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        let next = unsafe Unmanaged<Box<@Sendable (consuming Buffer) -> Buffer?>>.fromOpaque(box)
          .takeUnretainedValue().value(buffer)
        guard let next else {
          unsafe info.pointee.data = nil
          return GST_PAD_PROBE_HANDLED
        }
        unsafe info.pointee.data = UnsafeMutableRawPointer(next.release())
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
