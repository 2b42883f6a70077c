import CGStreamer

/// Which part of a stream is presented, and when; in nanoseconds.
package struct Presentation: Sendable {
  /// The stream's time at which it begins: what is before is decoded and discarded.
  package var start: UInt64
  /// The stream's time at which it ends, within a sample if need be.
  package var stop: UInt64?
  /// The running time of the beginning.
  package var delay: UInt64
  /// Samples that begin at this time of the stream or later are left out.
  package var end: UInt64?

  package init(start: UInt64, stop: UInt64?, delay: UInt64, end: UInt64?) {
    (self.start, self.stop, self.delay, self.end) = (start, stop, delay, end)
  }
}

extension Pad {
  /// Has the stream presented as given, whatever its own segments say.
  package func present(_ presentation: Presentation) {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        Handover.take()
        guard let info = unsafe info, let box = unsafe box else { return GST_PAD_PROBE_OK }
        let presentation = unsafe Unmanaged<Box<Presentation>>.fromOpaque(box)
          .takeUnretainedValue().value
        let isBuffer =
          unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
        if !isBuffer, let event = unsafe gst_pad_probe_info_get_event(info) {
          guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { return GST_PAD_PROBE_OK }
          unsafe presentation.event().replace(event, in: info)
          return GST_PAD_PROBE_OK
        }
        guard let end = presentation.end, let data = unsafe info.pointee.data else {
          return GST_PAD_PROBE_OK
        }
        let time = unsafe data.assumingMemoryBound(to: GstBuffer.self).pointee.pts
        return time != clockTimeNone && time >= end ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(Box(presentation)).toOpaque(), { box in unsafe releaseBox(box) })
  }
}

extension Pad {
  /// Has the stream's own segments end so many nanoseconds earlier.
  package func shortenSegments(by margin: UInt64) {
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { return nil }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      guard segment.format == GST_FORMAT_TIME, segment.stop != clockTimeNone,
        segment.stop > segment.start, segment.stop - segment.start > guint64(margin)
      else { return nil }
      segment.stop -= guint64(margin)
      return unsafe Event(taking: gst_event_new_segment(&segment))
    }
  }

  /// Has the stream's own segments never end: what is past their end has been left out already, and
  /// an encoder's last packet begins after it.
  package func endSegmentsNever() {
    unsafe replaceEvents { event in
      unsafe Event(taking: gst_event_ref(event)).segmentWithoutEnd()
    }
  }
}

extension Pad {
  /// Lets only samples pass that begin in the stream's segment: the others are there to be decoded.
  ///
  /// A segment begins a little inside of the first sample that is presented, so that decoders make
  /// nothing of the one before it, however times are rounded. That sample begins with the segment here.
  package func passPresentedOnly() {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_BUFFER,
      { pad, info, _ in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let data = unsafe info.pointee.data,
          let event = unsafe gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0),
          let bounds = unsafe Event(taking: event).segmentBounds
        else { return GST_PAD_PROBE_OK }
        var buffer = unsafe Buffer(taking: data.assumingMemoryBound(to: GstBuffer.self))
        guard buffer.begin(within: bounds) else {
          unsafe info.pointee.data = nil
          return GST_PAD_PROBE_HANDLED
        }
        unsafe info.pointee.data = UnsafeMutableRawPointer(buffer.release())
        return GST_PAD_PROBE_OK
      }, nil, nil)
  }
}

extension Buffer {
  /// More than a quarter of a unit of a track's time, and less than a frame lasts at 3,000 a second; in
  /// nanoseconds.
  private static let rounding: UInt64 = 300_000

  /// Whether the sample is presented within a segment. One that begins where that does begins no earlier
  /// from now on.
  fileprivate mutating func begin(within bounds: ClosedRange<UInt64>) -> Bool {
    guard let time = presentationTime else { return true }
    guard time < bounds.lowerBound else { return time <= bounds.upperBound }
    let earliest = bounds.lowerBound - min(bounds.lowerBound, Self.rounding)
    guard time >= earliest else { return false }
    presentationTime = bounds.lowerBound
    if let decode = decodeTime, decode >= earliest { decodeTime = max(decode, bounds.lowerBound) }
    return true
  }
}

extension Event {
  /// Has a probe of a pad hand this event on in place of the one that it was called with.
  consuming func replace(
    _ event: UnsafeMutablePointer<GstEvent>, in info: UnsafeMutablePointer<GstPadProbeInfo>
  ) {
    // The probe's reference is the pad's own: it is given back, and another taken.
    let other = unsafe release()
    unsafe gst_event_set_seqnum(other, gst_event_get_seqnum(event))
    unsafe info.pointee.data = UnsafeMutableRawPointer(other)
    unsafe gst_event_unref(event)
  }
}

extension Presentation {
  fileprivate func event() -> Event {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    (segment.start, segment.position) = (guint64(start), guint64(start))
    (segment.base, segment.time) = (guint64(delay), 0)
    if let stop { segment.stop = guint64(stop) }
    return unsafe Event(taking: gst_event_new_segment(&segment))
  }
}

extension Buffer {
  /// The offset of the buffer's first byte in its file, where the file's reader says.
  package var fileOffset: UInt64? {
    let offset = unsafe UInt64(raw.pointee.offset)
    return offset == .max ? nil : offset
  }
}
