import CGStreamer

extension Pad {
  /// Has each packet that enters a decoder here say again when it is presented, for ``keepOrder(_:)``.
  package func stateTimes() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { _, info, _ in
        Handover.take()
        guard let info = unsafe info, let data = unsafe info.pointee.data else {
          return GST_PAD_PROBE_OK
        }
        // The probe's reference is the pad's own.
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        buffer.stateTime()
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        return GST_PAD_PROBE_OK
      }, nil, nil)
  }

  /// Has the frames of a decoder leave in the order of their times, and leaves out those that can't:
  /// `leftOut` is called for each, with its running time in nanoseconds and that of the one before it,
  /// on the streaming thread.
  ///
  /// Where a decoder of a damaged stream once gives a frame before the one that it has given, it
  /// (1.22) gives all later ones the time of the earliest packet that it still holds. One whose frame
  /// never comes is held for ever. So the times of packets (``stateTimes()``) take the place of such.
  package func keepOrder(_ leftOut: @escaping @Sendable (_ time: Int64, _ last: Int64) -> Void) {
    let order = FrameOrder(leftOut)
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        let order = unsafe Unmanaged<FrameOrder>.fromOpaque(box).takeUnretainedValue()
        guard order.takes(&buffer, at: unsafe Pad(retaining: pad)) else {
          unsafe info.pointee.data = nil
          return GST_PAD_PROBE_HANDLED
        }
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        return GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(order).toOpaque(), { box in unsafe releaseBox(box) })
  }
}

/// When the last frame is presented that a decoder gave; touched on its streaming thread alone.
private final class FrameOrder {
  private let leftOut: @Sendable (Int64, Int64) -> Void
  private var last: UInt64?

  init(_ leftOut: @escaping @Sendable (Int64, Int64) -> Void) { self.leftOut = leftOut }

  /// Whether a frame is to be handed on, with a time after the last one's.
  func takes(_ buffer: inout Buffer, at pad: Pad) -> Bool {
    let stated = buffer.takeStatedTime()
    guard let time = buffer.presentationTime else { return true }
    if let last, time <= last {
      guard let stated, stated > last else {
        let origin = pad.segmentOrigin
        leftOut(Int64(clamping: time) - origin, Int64(clamping: last) - origin)
        return false
      }
      buffer.presentationTime = stated
    }
    last = buffer.presentationTime
    return true
  }
}

extension Buffer {
  private static let statedTime = Caps("timestamp/x-graphkit-presentation")

  /// Has the buffer say again when it is presented; decoders hand that on.
  fileprivate mutating func stateTime() {
    guard let time = presentationTime, let kind = Self.statedTime else { return }
    makeWritable()
    unsafe _ = gst_buffer_add_reference_timestamp_meta(
      raw, kind.raw, GstClockTime(time), clockTimeNone)
  }

  /// When the packet is presented that a frame was decoded from, where that said so; it says it no more.
  fileprivate mutating func takeStatedTime() -> UInt64? {
    guard let kind = Self.statedTime,
      unsafe gst_buffer_get_reference_timestamp_meta(raw, kind.raw) != nil
    else { return nil }
    makeWritable()
    guard let meta = unsafe gst_buffer_get_reference_timestamp_meta(raw, kind.raw) else {
      return nil
    }
    let time = unsafe UInt64(meta.pointee.timestamp)
    unsafe _ = gst_buffer_remove_meta(
      raw, UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstMeta.self))
    return time
  }
}
