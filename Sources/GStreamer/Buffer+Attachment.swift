import CGStreamer

extension Buffer {
  /// A Swift object that travels with the buffer, until an element copies the buffer to write to
  /// it.
  package var attachment: AnyObject? {
    get {
      guard let held = unsafe gst_mini_object_get_qdata(Self.miniObject(raw), Self.attachmentKey)
      else { return nil }
      return unsafe Unmanaged<AnyObject>.fromOpaque(held).takeUnretainedValue()
    }
    set {
      makeWritable()
      let held = unsafe newValue.map { unsafe Unmanaged.passRetained($0).toOpaque() }
      unsafe gst_mini_object_set_qdata(Self.miniObject(raw), Self.attachmentKey, held) { held in
        guard let held = unsafe held else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(held).release()
      }
    }
  }

  private static let attachmentKey = unsafe g_quark_from_string("graphkit-attachment")
}
