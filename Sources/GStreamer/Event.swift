import CGStreamer

/// One reference to a `GstEvent`.
@safe package struct Event: ~Copyable, @unchecked Sendable {
  // Unchecked because events are never written to after they are made.
  var raw: UnsafeMutablePointer<GstEvent>

  init(taking raw: UnsafeMutablePointer<GstEvent>) { unsafe self.raw = raw }
  deinit { unsafe gst_event_unref(raw) }

  consuming func release() -> UnsafeMutablePointer<GstEvent> {
    let raw = unsafe self.raw
    discard self
    return unsafe raw
  }

  /// What the event says, as far as GraphKit acts on it.
  package enum Kind {
    case streamStart, segment, endOfStream, flushStart, flushStop
    case caps(Caps)
    case tags([String: String], pictures: [Picture])
    /// A serialised event that is only handed on.
    case other
  }

  /// What the event says.
  package var kind: Kind {
    switch unsafe raw.pointee.type {
    case GST_EVENT_STREAM_START: .streamStart
    case GST_EVENT_SEGMENT: .segment
    case GST_EVENT_EOS: .endOfStream
    case GST_EVENT_FLUSH_START: .flushStart
    case GST_EVENT_FLUSH_STOP: .flushStop
    case GST_EVENT_CAPS: caps.map { .caps($0) } ?? .other
    case GST_EVENT_TAG: tagList
    default: .other
    }
  }

  private var caps: Caps? {
    var caps: UnsafeMutablePointer<GstCaps>?
    unsafe gst_event_parse_caps(raw, &caps)
    return unsafe caps.map { unsafe Caps(retaining: $0) }
  }

  package static func streamStart(_ identifier: String) -> Event {
    unsafe Event(taking: gst_event_new_stream_start(identifier))
  }

  package static func caps(_ caps: Caps) -> Event {
    unsafe Event(taking: gst_event_new_caps(caps.raw))
  }

  /// A segment of time that starts at zero.
  package static func timeSegment(from start: UInt64 = 0) -> Event {
    var segment = GstSegment()
    unsafe gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.start = GstClockTime(start)
    segment.position = GstClockTime(start)
    return unsafe Event(taking: gst_event_new_segment(&segment))
  }

  package static func endOfStream() -> Event { unsafe Event(taking: gst_event_new_eos()) }
}

extension Event {
  /// Another reference to the same event.
  package borrowing func share() -> Event { unsafe Event(taking: gst_event_ref(raw)) }

  /// Whether nothing follows on the stream.
  package var isEndOfStream: Bool { unsafe raw.pointee.type == GST_EVENT_EOS }

  /// Whether it says that the stream has nothing for a while.
  package var isGap: Bool { unsafe raw.pointee.type == GST_EVENT_GAP }
}

extension Event {
  /// The timestamp, in nanoseconds, at which buffers after a segment event have running time zero:
  /// the segment's start less its base. Encoders that must not write negative decode times begin
  /// hours later than zero.
  package var segmentOrigin: Int64? {
    guard unsafe raw.pointee.type == GST_EVENT_SEGMENT else { return nil }
    var segment: UnsafePointer<GstSegment>?
    unsafe gst_event_parse_segment(raw, &segment)
    guard let segment = unsafe segment, unsafe segment.pointee.format == GST_FORMAT_TIME else {
      return nil
    }
    return unsafe Int64(min(segment.pointee.start, .timeLimit))
      - Int64(min(segment.pointee.base, .timeLimit))
  }
}

extension Event {
  /// A segment of the same running times for buffers whose own times are later by `offset`
  /// nanoseconds; `nil` for what is no segment of time.
  package func segment(movedBy offset: UInt64) -> Event? {
    changed { segment in
      segment.start = min(segment.start, .timeLimit) + guint64(offset)
      segment.position = min(segment.position, .timeLimit) + guint64(offset)
      // An end that no stream reaches is none.
      segment.stop = segment.stop.known.map { guint64($0 + offset) } ?? guint64(clockTimeNone)
    }
  }

  /// A segment of the same running times that never ends; `nil` for what is no segment of time.
  package func segmentWithoutEnd() -> Event? { changed { $0.stop = clockTimeNone } }

  /// A segment of a part of a segment of time, which begins at a running time; in nanoseconds. `nil`
  /// for what is no segment of time.
  package func segment(presenting bounds: ClosedRange<UInt64>, at running: UInt64) -> Event? {
    changed { segment in
      segment.start = guint64(bounds.lowerBound)
      segment.position = segment.start
      segment.stop = bounds.upperBound == .max ? clockTimeNone : guint64(bounds.upperBound)
      (segment.base, segment.time) = (guint64(running), guint64(running))
      segment.offset = 0
    }
  }

  /// When a segment of time ends, in the time of its buffers; `nil` where it doesn't.
  package var segmentStop: UInt64? {
    segmentBounds.flatMap { $0.upperBound == .max ? nil : $0.upperBound }
  }

  /// The times of a segment of time, as its buffers count; `nil` for what is none.
  package var segmentBounds: ClosedRange<UInt64>? {
    guard unsafe raw.pointee.type == GST_EVENT_SEGMENT else { return nil }
    var segment = GstSegment()
    unsafe gst_event_copy_segment(raw, &segment)
    guard segment.format == GST_FORMAT_TIME else { return nil }
    let start = UInt64(segment.start)
    return start...max(start, segment.stop == clockTimeNone ? .max : UInt64(segment.stop))
  }

  /// A copy of a segment of time with `change` made to it.
  private func changed(_ change: (inout GstSegment) -> Void) -> Event? {
    guard unsafe raw.pointee.type == GST_EVENT_SEGMENT else { return nil }
    var segment = GstSegment()
    unsafe gst_event_copy_segment(raw, &segment)
    guard segment.format == GST_FORMAT_TIME else { return nil }
    change(&segment)
    let event = unsafe Event(taking: gst_event_new_segment(&segment))
    unsafe gst_event_set_seqnum(event.raw, gst_event_get_seqnum(raw))
    return event
  }
}
