import CGStreamer
import GraphKitSystem

/// An element or a pipeline, retained.
@safe package final class Element: @unchecked Sendable {
  // Unchecked because a GstElement locks itself.
  let raw: UnsafeMutablePointer<GstElement>

  init(sinking raw: UnsafeMutablePointer<GstElement>) {
    unsafe self.raw = unsafe gst_object_ref_sink(raw).assumingMemoryBound(to: GstElement.self)
  }

  deinit { unsafe gst_object_unref(raw) }

  /// Makes an element; `nil` where no such factory is there.
  package convenience init?(factory: String, name: String) {
    let made = unsafe FloatingPointMode.kept { unsafe gst_element_factory_make(factory, name) }
    guard let raw = unsafe made else { return nil }
    unsafe self.init(sinking: raw)
  }

  /// Makes an empty pipeline.
  package static func pipeline(_ name: String) -> Element {
    // Never nil: the type is built in.
    unsafe Element(sinking: gst_pipeline_new(name))
  }

  package var name: String {
    guard let name = unsafe gst_object_get_name(object(raw)) else { return "" }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }

  // MARK: Properties

  /// Whether the element has a property that can be written.
  package func hasProperty(_ name: String) -> Bool {
    guard let spec = unsafe propertySpec(name) else { return false }
    return unsafe spec.pointee.flags.rawValue & G_PARAM_WRITABLE.rawValue != 0
  }

  /// Sets a property from its text; `false` where there is no such property or the text is none
  /// of its values.
  package func set(_ name: String, _ text: String) -> Bool {
    guard let spec = unsafe propertySpec(name), hasProperty(name) else { return false }
    var value = GValue()
    unsafe g_value_init(&value, spec.pointee.value_type)
    defer { unsafe g_value_unset(&value) }
    guard unsafe gst_value_deserialize_with_pspec(&value, text, spec) != 0 else { return false }
    guard unsafe g_param_value_validate(spec, &value) == 0 else { return false }
    unsafe g_object_set_property(gobject(raw), name, &value)
    return true
  }

  private func propertySpec(_ name: String) -> UnsafeMutablePointer<GParamSpec>? {
    unsafe g_object_class_find_property(objectClass(raw), name)
  }

  /// Reads a property as text; `nil` where it can't be read or isn't text.
  package func get(_ name: String) -> String? {
    guard let spec = unsafe propertySpec(name),
      unsafe spec.pointee.flags.rawValue & G_PARAM_READABLE.rawValue != 0
    else { return nil }
    var value = GValue()
    unsafe g_value_init(&value, spec.pointee.value_type)
    defer { unsafe g_value_unset(&value) }
    unsafe g_object_get_property(gobject(raw), name, &value)
    guard let text = unsafe gst_value_serialize(&value) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  // MARK: Structure

  /// Puts an element into this pipeline.
  package func add(_ child: Element) {
    unsafe gst_bin_add(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self), child.raw)
  }

  /// Has the pipeline not wait for this sink's end.
  package func setAside() {
    let sink = GST_ELEMENT_FLAG_SINK
    // One that finds its elements later would take the mark from them.
    if unsafe g_type_check_instance_is_a(
      UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self), gst_bin_get_type())
      != 0
    {
      unsafe gst_bin_set_suppressed_flags(
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstBin.self), sink)
    }
    unsafe raw.pointee.object.flags &= ~sink.rawValue
  }

  package func pad(_ name: String) -> Pad? {
    guard let pad = unsafe gst_element_get_static_pad(raw, name) else { return nil }
    return unsafe Pad(taking: pad)
  }

  package func requestPad(_ template: String) -> Pad? {
    guard let pad = unsafe gst_element_request_pad_simple(raw, template) else { return nil }
    return unsafe Pad(taking: pad)
  }

  /// Links the one output to the one input of another element.
  package func link(to other: Element) -> Bool { unsafe gst_element_link(raw, other.raw) != 0 }

  /// Calls `body` for every pad that appears, on whichever thread makes it. Buffers pass it one by one.
  package func onPadAdded(_ body: @escaping @Sendable (Pad) -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, pad, box in
      guard let pad = unsafe pad, let box = unsafe box else { return }
      let added = unsafe Pad(retaining: pad.assumingMemoryBound(to: GstPad.self))
      added.passBuffersSingly()
      unsafe Unmanaged<Box<@Sendable (Pad) -> Void>>.fromOpaque(box).takeUnretainedValue()
        .value(added)
    }
    unsafe connect("pad-added", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// Calls `body` once the element has all the pads that it will have.
  package func onNoMorePads(_ body: @escaping @Sendable () -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, box in
      guard let box = unsafe box else { return }
      unsafe Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(box).takeUnretainedValue().value()
    }
    unsafe connect("no-more-pads", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  /// Has a signal of the element call `callback` with a box, which is kept as long.
  func connect(_ signal: String, _ callback: GCallback, _ box: AnyObject) {
    unsafe g_signal_connect_data(
      raw, signal, callback, Unmanaged.passRetained(box).toOpaque(),
      { box, _ in unsafe releaseBox(box) }, GConnectFlags(rawValue: 0))
  }

  // MARK: State

  /// The states of an element.
  package enum State: Sendable { case null, ready, paused, playing }

  /// Asks for a state; `false` where it can't be had. It may be reached later.
  @discardableResult
  package func setState(_ state: State) -> Bool {
    let target =
      switch state {
      case .null: GST_STATE_NULL
      case .ready: GST_STATE_READY
      case .paused: GST_STATE_PAUSED
      case .playing: GST_STATE_PLAYING
      }
    Handover.give()
    return unsafe gst_element_set_state(raw, target) != GST_STATE_CHANGE_FAILURE
  }

  /// Sends an event to the element: end of stream to a pipeline reaches every source.
  @discardableResult
  package func send(_ event: consuming Event) -> Bool {
    unsafe gst_element_send_event(raw, event.release()) != 0
  }

  /// Media time since the pipeline began to play, in nanoseconds.
  package var runningTime: UInt64? {
    let time = unsafe gst_element_get_current_running_time(raw)
    return time == clockTimeNone ? nil : UInt64(time)
  }

  /// The length of the media, in nanoseconds, where a source knows it.
  package var duration: UInt64? {
    var duration: gint64 = -1
    guard unsafe gst_element_query_duration(raw, GST_FORMAT_TIME, &duration) != 0, duration >= 0
    else { return nil }
    return UInt64(duration)
  }

  package var bus: Bus? {
    guard let bus = unsafe gst_element_get_bus(raw) else { return nil }
    return unsafe Bus(taking: bus)
  }
}

func object(_ raw: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstObject> {
  unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GstObject.self)
}

func gobject(_ raw: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GObject> {
  unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GObject.self)
}

func objectClass(_ raw: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GObjectClass>? {
  unsafe gobject(raw).pointee.g_type_instance.g_class.map {
    unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: GObjectClass.self)
  }
}
