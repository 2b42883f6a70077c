import CGStreamer

/// A pad, retained.
@safe package final class Pad: @unchecked Sendable {
  // Unchecked because a GstPad locks itself.
  let raw: UnsafeMutablePointer<GstPad>

  init(taking raw: UnsafeMutablePointer<GstPad>) { unsafe self.raw = raw }

  init(retaining raw: UnsafeMutablePointer<GstPad>) {
    unsafe self.raw = unsafe gst_object_ref(raw).assumingMemoryBound(to: GstPad.self)
  }

  /// Takes ownership of a pad with a floating reference.
  init(sinking raw: UnsafeMutablePointer<GstPad>) {
    unsafe self.raw = unsafe gst_object_ref_sink(raw).assumingMemoryBound(to: GstPad.self)
  }

  deinit { unsafe gst_object_unref(raw) }

  package var name: String {
    let object = unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstObject.self)
    guard let name = unsafe gst_object_get_name(object) else { return "" }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }

  /// Links to an input; `false` where the two don't fit.
  package func link(to sink: Pad) -> Bool { unsafe gst_pad_link(raw, sink.raw) == GST_PAD_LINK_OK }

  package var isLinked: Bool { unsafe gst_pad_is_linked(raw) != 0 }

  /// Sets a property from its text, where there is such a property.
  package func set(_ name: String, _ text: String) {
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GObject.self), name, text)
  }

  /// Sets a property of the element that it belongs to from its text, where there is such a property.
  func setOfElement(_ name: String, _ text: String) {
    guard let element = unsafe gst_pad_get_parent_element(raw) else { return }
    defer { unsafe gst_object_unref(element) }
    unsafe gst_util_set_object_arg(
      UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self), name, text)
  }

  /// Pushes a buffer to the linked element; returns when it was taken.
  package func push(_ buffer: consuming Buffer) -> Flow {
    unsafe Flow(gst_pad_push(raw, buffer.release()))
  }

  /// Hands an event on.
  @discardableResult
  package func push(_ event: consuming Event) -> Bool {
    unsafe gst_pad_push_event(raw, event.release()) != 0
  }

  /// The caps that the pad's peer takes or gives, within `filter`.
  package func peerCaps(filter: Caps?) -> Caps? {
    guard let caps = unsafe gst_pad_peer_query_caps(raw, filter?.raw) else { return nil }
    return unsafe Caps(taking: caps)
  }

  /// The caps that the samples have now.
  package var currentCaps: Caps? {
    guard let caps = unsafe gst_pad_get_current_caps(raw) else { return nil }
    return unsafe Caps(taking: caps)
  }

  /// What the pad says it can do.
  package var possibleCaps: Caps? {
    guard let caps = unsafe gst_pad_query_caps(raw, nil) else { return nil }
    return unsafe Caps(taking: caps)
  }

  /// The identifier of the stream that the pad carries.
  package var streamIdentifier: String? {
    guard let text = unsafe gst_pad_get_stream_id(raw) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }
}

extension Pad {
  /// Asks `isTaken` of each format that comes; after one that isn't, neither it nor any sample
  /// passes. Called on the streaming thread, with the pad: one that was kept would keep itself.
  package func guardFormat(_ isTaken: @escaping @Sendable (Pad, Caps) -> Bool) {
    let guardian = FormatGuard(isTaken)
    // A pad that has just appeared may be in use by another thread.
    Handover.give()
    unsafe gst_pad_add_probe(
      raw,
      GstPadProbeType(
        GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue),
      { pad, info, box in
        Handover.take()
        guard let pad = unsafe pad, let info = unsafe info, let box = unsafe box else {
          return GST_PAD_PROBE_OK
        }
        let guardian = unsafe Unmanaged<FormatGuard>.fromOpaque(box).takeUnretainedValue()
        let isBuffer =
          unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
        guard !isBuffer, let event = unsafe gst_pad_probe_info_get_event(info) else {
          return guardian.isClosed ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
        }
        var caps: UnsafeMutablePointer<GstCaps>?
        guard unsafe event.pointee.type == GST_EVENT_CAPS else { return GST_PAD_PROBE_OK }
        unsafe gst_event_parse_caps(event, &caps)
        if let caps = unsafe caps {
          let isTaken = unsafe guardian.isTaken(
            Pad(retaining: pad), Caps(taking: gst_caps_ref(caps)))
          if !isTaken { guardian.isClosed = true }
        }
        return guardian.isClosed ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(guardian).toOpaque(), { box in unsafe releaseBox(box) })
  }
}

/// Whether samples pass a pad; touched on its streaming thread alone.
private final class FormatGuard {
  let isTaken: @Sendable (Pad, Caps) -> Bool
  var isClosed = false
  init(_ isTaken: @escaping @Sendable (Pad, Caps) -> Bool) { self.isTaken = isTaken }
}

/// A Swift value as something that C can hold.
final class Box<Value> {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Gives back the reference that C held.
func releaseBox(_ box: gpointer?) {
  guard let box = unsafe box else { return }
  unsafe Unmanaged<AnyObject>.fromOpaque(box).release()
}
