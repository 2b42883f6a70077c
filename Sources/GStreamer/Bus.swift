import CGStreamer

/// What elements say to the application.
@safe package final class Bus: @unchecked Sendable {
  // Unchecked because a GstBus locks itself.
  let raw: UnsafeMutablePointer<GstBus>

  init(taking raw: UnsafeMutablePointer<GstBus>) { unsafe self.raw = raw }
  deinit { unsafe gst_object_unref(raw) }

  /// A message, as far as GraphKit acts on it. Its element is one of the pipeline's own, not one
  /// inside of that.
  package enum Message: Sendable {
    /// A sink has come to its end; see ``Element/forwardEnds()``.
    case sinkEnded(String)
    case error(element: String, text: String, debug: String)
    case warning(element: String, text: String, debug: String)
    /// ``Bus/wake()`` was called.
    case wake
    case latency
    /// A file has so many streams.
    case streams(Int)
    case other
  }

  /// The next message, or `nil` when none came in time.
  package func next(within nanoseconds: UInt64) -> Message? {
    guard let message = unsafe gst_bus_timed_pop(raw, GstClockTime(nanoseconds)) else { return nil }
    defer { unsafe gst_message_unref(message) }
    return unsafe Message(message)
  }

  /// Makes ``next(within:)`` return ``Message/wake``.
  package func wake() {
    unsafe gst_bus_post(raw, gst_message_new_application(nil, gst_structure_new_empty("wake")))
  }

  /// Throws away what is there and whatever comes.
  package func close() { unsafe gst_bus_set_flushing(raw, 1) }
}

extension Bus.Message {
  init(_ message: UnsafeMutablePointer<GstMessage>) {
    switch unsafe message.pointee.type {
    case GST_MESSAGE_ELEMENT: self = unsafe Self.endedSink(message).map { .sinkEnded($0) } ?? .other
    case GST_MESSAGE_APPLICATION: self = .wake
    case GST_MESSAGE_LATENCY: self = .latency
    case GST_MESSAGE_STREAM_COLLECTION: self = unsafe .streams(Self.streamCount(message))
    case GST_MESSAGE_ERROR:
      let (text, debug) = unsafe Self.details(message, gst_message_parse_error)
      self = unsafe .error(element: Self.source(message), text: text, debug: debug)
    case GST_MESSAGE_WARNING:
      let (text, debug) = unsafe Self.details(message, gst_message_parse_warning)
      self = unsafe .warning(element: Self.source(message), text: text, debug: debug)
    default: self = .other
    }
  }

  private typealias Parse = (
    UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
    UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
  ) -> Void

  private static func details(_ message: UnsafeMutablePointer<GstMessage>, _ parse: Parse)
    -> (text: String, debug: String)
  {
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<gchar>?
    unsafe parse(message, &error, &debug)
    defer {
      unsafe g_clear_error(&error)
      unsafe g_free(debug)
    }
    return unsafe (
      error.map { unsafe text($0.pointee) } ?? "", debug.map { unsafe String(cString: $0) } ?? ""
    )
  }

  /// An error's words. Those for a full disk are the system's, which say more.
  private static func text(_ error: GError) -> String {
    let isFull =
      unsafe error.domain == gst_resource_error_quark()
      && error.code == Int32(GST_RESOURCE_ERROR_NO_SPACE_LEFT.rawValue)
    return unsafe String(cString: isFull ? strerror(ENOSPC) : error.message)
  }

  private static func streamCount(_ message: UnsafeMutablePointer<GstMessage>) -> Int {
    var collection: UnsafeMutablePointer<GstStreamCollection>?
    unsafe gst_message_parse_stream_collection(message, &collection)
    guard let collection = unsafe collection else { return 0 }
    defer { unsafe gst_object_unref(collection) }
    return unsafe Int(gst_stream_collection_get_size(collection))
  }

  /// The element of the pipeline that a message comes from, or that holds where it comes from.
  static func source(_ message: UnsafeMutablePointer<GstMessage>) -> String {
    guard let source = unsafe message.pointee.src else { return "" }
    var place = unsafe gst_object_ref(source).assumingMemoryBound(to: GstObject.self)
    defer { unsafe gst_object_unref(place) }
    while let parent = unsafe gst_object_get_parent(place) {
      // A pipeline has no parent: what it holds itself is what is asked for.
      guard let above = unsafe gst_object_get_parent(parent) else {
        unsafe gst_object_unref(parent)
        break
      }
      unsafe gst_object_unref(above)
      unsafe gst_object_unref(place)
      unsafe place = parent
    }
    guard let name = unsafe gst_object_get_name(place) else { return "" }
    defer { unsafe g_free(name) }
    return unsafe String(cString: name)
  }
}
