import CGStreamer

extension Pad {
  /// Has interlaced video pass with caps that say which field is the first, as its first frame says it.
  ///
  /// Decoders (GStreamer 1.22) don't say it of MPEG-2 and ProRes, and encoders take all for bottom field
  /// first that doesn't say so, once and for all. For inputs: what comes before the first frame passes
  /// with it, so that the element doesn't say before what memory it likes.
  package func completeFieldOrder() {
    let types =
      GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
      | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { pad, info, box in
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box,
          let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let beginning = unsafe Unmanaged<HeldBeginning>.fromOpaque(box).takeUnretainedValue()
        guard unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue == 0 else {
          let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
          unsafe beginning.pass(to: pad, flags: buffer.pointee.mini_object.flags)
          return GST_PAD_PROBE_OK
        }
        let event = unsafe data.assumingMemoryBound(to: GstEvent.self)
        return unsafe beginning.holds(event, before: pad)
          ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(HeldBeginning()).toOpaque(), { box in unsafe releaseBox(box) })
  }
}

/// What says a stream's format, and comes between that and its first frame; touched by what is serialized
/// with the frames.
@safe private final class HeldBeginning {
  private var events: [UnsafeMutablePointer<GstEvent>]
  private var isPassing = false

  init() { unsafe events = [] }

  deinit { unsafe events.forEach { unsafe gst_event_unref($0) } }

  /// Whether an event is held: a format without an order of fields, and what follows it.
  func holds(_ event: UnsafeMutablePointer<GstEvent>, before pad: UnsafeMutablePointer<GstPad>)
    -> Bool
  {
    let type = unsafe event.pointee.type
    // Others come on any thread.
    guard type.rawValue & GST_EVENT_TYPE_SERIALIZED.rawValue != 0, !isPassing else { return false }
    switch type {
    case GST_EVENT_CAPS: return unsafe holds(format: event, before: pad)
    case GST_EVENT_FLUSH_STOP:
      // What says where samples are comes anew, and nothing else does.
      drop(GST_EVENT_SEGMENT)
      return false
    case GST_EVENT_EOS, GST_EVENT_STREAM_START:
      unsafe pass(to: pad, flags: nil)
      return false
    default:
      guard unsafe !events.isEmpty else { return false }
      unsafe events.append(gst_event_ref(event))
      return true
    }
  }

  private func holds(
    format event: UnsafeMutablePointer<GstEvent>, before pad: UnsafeMutablePointer<GstPad>
  ) -> Bool {
    if let place = unsafe events.firstIndex(where: { unsafe $0.pointee.type == GST_EVENT_CAPS }) {
      unsafe gst_event_unref(events[place])
      unsafe events[place] = unsafe gst_event_ref(event)
      if unsafe !event.lacksFieldOrder { unsafe pass(to: pad, flags: nil) }
      return true
    }
    guard unsafe event.lacksFieldOrder else { return false }
    unsafe events.append(gst_event_ref(event))
    return true
  }

  private func drop(_ type: GstEventType) {
    unsafe events.removeAll { held in
      guard unsafe held.pointee.type == type else { return false }
      unsafe gst_event_unref(held)
      return true
    }
  }

  /// Passes what is held, the format with the order that a frame's flags say.
  func pass(to pad: UnsafeMutablePointer<GstPad>, flags: guint?) {
    guard unsafe !events.isEmpty else { return }
    let held = unsafe events
    unsafe events = []
    isPassing = true
    defer { isPassing = false }
    unsafe held.forEach { event in unsafe send(event, to: pad, flags) }
  }

  private func send(
    _ event: UnsafeMutablePointer<GstEvent>, to pad: UnsafeMutablePointer<GstPad>, _ flags: guint?
  ) {
    guard let complete = flags.flatMap({ unsafe event.withFieldOrder(of: $0) }) else {
      _ = unsafe gst_pad_send_event(pad, event)
      return
    }
    unsafe gst_event_unref(event)
    _ = unsafe Pad(retaining: pad).send(.caps(complete))
  }
}

extension UnsafeMutablePointer<GstEvent> {
  /// The caps of an event that says a format.
  private var caps: Caps? {
    guard unsafe pointee.type == GST_EVENT_CAPS else { return nil }
    var caps: UnsafeMutablePointer<GstCaps>?
    unsafe gst_event_parse_caps(self, &caps)
    return unsafe caps.map { unsafe Caps(taking: gst_caps_ref($0)) }
  }

  /// Whether it says that video is interlaced, and not how.
  fileprivate var lacksFieldOrder: Bool {
    guard let caps = unsafe caps, caps.stated("field-order") == nil else { return false }
    return ["mixed", "interleaved"].contains(caps.stated("interlace-mode"))
  }

  /// Its caps with the order of fields that a frame with some flags says; `nil` where they say it
  /// themselves. A mixed stream that begins without fields is taken for one of top field first, as most are.
  fileprivate func withFieldOrder(of flags: guint) -> Caps? {
    guard unsafe lacksFieldOrder, let caps = unsafe caps else { return nil }
    let hasFields = flags & GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue != 0
    let isTop =
      flags & GST_VIDEO_BUFFER_FLAG_TFF.rawValue != 0
      || !hasFields && caps.stated("interlace-mode") == "mixed"
    return caps.setting("field-order", isTop ? "top-field-first" : "bottom-field-first")
  }
}
