import CGStreamer
import GraphKitSystem

/// A request for a file of the web, made by GStreamer's element for HTTP. It follows redirects, and
/// asks for the rest where a connection is cut.
final class WebConnection: Sendable {
  /// What has become of a request.
  enum News {
    /// GStreamer's own words.
    case failed(String)
    /// The server has sent all that it will.
    case ended
  }

  private let pipeline: Element
  private let source: Element
  private let bus: Bus

  /// Its elements' plug-ins.
  private static let plugins: Set = ["soup", "coreelements"]

  /// Seconds that the element waits for a server: more than ``WebFile/patience``, which says more.
  private static let timeout = 30

  /// A request for an address; `body` gets what comes, on a thread of its own. `nil` where the element
  /// isn't installed.
  init?(_ address: String, _ body: @escaping @Sendable (borrowing Buffer) -> Void) {
    Library.start(plugins: Self.plugins)
    pipeline = Element.pipeline("web")
    guard let source = Element(factory: "souphttpsrc", name: "web-source"),
      let sink = Element(factory: "fakesink", name: "web-sink"), let bus = pipeline.bus
    else { return nil }
    (self.source, self.bus) = (source, bus)
    source.setText("location", address)
    source.setText("user-agent", "GraphKit")
    _ = source.set("timeout", "\(Self.timeout)")
    _ = source.set("retries", "1")
    // Titles that radio stations put between the bytes.
    _ = source.set("iradio-mode", "false")
    _ = source.set("blocksize", "65536")
    pipeline.add(source)
    pipeline.add(sink)
    guard source.link(to: sink), let pad = source.pad("src") else { return nil }
    pad.replaceBuffers { buffer in
      body(buffer)
      return buffer
    }
  }

  /// Begins at an offset of the file.
  func start(at offset: Int) {
    pipeline.setState(.ready)
    // It counts from when the element starts.
    if offset > 0 { _ = seek(to: offset) }
    pipeline.setState(.playing)
  }

  /// Goes on at an offset of the file, with another request; `false` where it can't.
  func seek(to offset: Int) -> Bool {
    let event = unsafe gst_event_new_seek(
      1, GST_FORMAT_BYTES, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, gint64(offset),
      GST_SEEK_TYPE_NONE, -1)
    return unsafe gst_element_send_event(source.raw, event) != 0
  }

  /// Bytes of the file, where the server says.
  var size: Int? {
    var size: gint64 = -1
    guard unsafe gst_element_query_duration(source.raw, GST_FORMAT_BYTES, &size) != 0, size >= 0
    else { return nil }
    return Int(size)
  }

  /// Whether the server doesn't say that it gives no parts of files.
  var takesRanges: Bool {
    guard let query = unsafe gst_query_new_seeking(GST_FORMAT_BYTES) else { return false }
    defer { unsafe gst_query_unref(query) }
    var isSeekable: gboolean = 0
    guard unsafe gst_element_query(source.raw, query) != 0 else { return false }
    unsafe gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
    return isSeekable != 0
  }

  /// What has happened since the last call.
  func news() -> News? {
    while let message = bus.next(within: 0) {
      switch message {
      case .error(_, let text, _): return .failed(text)
      case .endOfStream: return .ended
      default: break
      }
    }
    return nil
  }

  /// Ends the request. No more comes after it, unless the element doesn't come back from the network.
  func stop() { pipeline.abandonOrStop() }
}

extension Element {
  /// Sets a property of text to just this text.
  fileprivate func setText(_ name: String, _ text: String) {
    var value = GValue()
    unsafe g_value_init(&value, g_type_from_name("gchararray"))
    defer { unsafe g_value_unset(&value) }
    unsafe g_value_set_string(&value, text)
    unsafe g_object_set_property(gobject(raw), name, &value)
  }
}
