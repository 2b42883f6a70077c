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
  /// Where a decoder once gives a frame before the one that it has given, it (1.22) gives all later ones
  /// the time of the earliest packet that it still holds, and one whose frame never comes is held for
  /// ever; so packets say once more when they are presented (``stateTimes()``). Frames of one time follow
  /// each other closely: containers round times, and a decoder guesses those of B frames in AVI and
  /// program streams. What goes back further is left out.
  package func keepOrder(_ leftOut: @escaping @Sendable (_ time: Int64, _ last: Int64) -> Void) {
    let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    let order = FrameOrder(leftOut)
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let order = unsafe Unmanaged<FrameOrder>.fromOpaque(box).takeUnretainedValue()
        guard unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 else {
          // Another segment may count from another time.
          let type = unsafe data.assumingMemoryBound(to: GstEvent.self).pointee.type
          if [GST_EVENT_SEGMENT, GST_EVENT_FLUSH_STOP].contains(type) { order.begin() }
          return GST_PAD_PROBE_OK
        }
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
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

  /// By so much a frame follows one of the same time, in nanoseconds.
  private static let step: UInt64 = 50_000
  /// So far a frame's time may be before the last one's.
  private static let most: UInt64 = 250_000_000

  init(_ leftOut: @escaping @Sendable (Int64, Int64) -> Void) { self.leftOut = leftOut }

  /// Times count anew.
  func begin() { last = nil }

  /// Whether a frame is to be handed on, with a time after the last one's.
  func takes(_ buffer: inout Buffer, at pad: Pad) -> Bool {
    let stated = buffer.takeStatedTime()
    guard let time = buffer.presentationTime else { return true }
    if let last, time <= last {
      guard let new = place(time, stated, after: last) else {
        let origin = pad.segmentOrigin
        leftOut(Int64(clamping: stated ?? time) - origin, Int64(clamping: last) - origin)
        return false
      }
      buffer.presentationTime = new
    }
    last = buffer.presentationTime
    return true
  }

  /// When to present a frame that isn't after the last; `nil` where it is too far before that.
  private func place(_ time: UInt64, _ stated: UInt64?, after last: UInt64) -> UInt64? {
    if let stated, stated > last { return stated }
    return last - min(time, stated ?? time) <= Self.most ? last + Self.step : nil
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
