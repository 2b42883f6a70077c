import CGStreamer

extension Pad {
  /// Has YUV frames whose stream says nothing of their matrix pass with the usual one of their
  /// size; range, primaries and transfer stay. Converters and encoders take no colorimetry without
  /// a matrix, and would take full range for video range.
  package func completeColors() { complete { $0.withMatrix } }

  /// Has formats pass without the colours that what comes before says; `body` gets these, `nil` where it
  /// says none.
  func withholdColors(_ body: @escaping @Sendable (String?) -> Void) {
    complete { caps in
      let stated = caps.stated("colorimetry")
      body(stated)
      return stated == nil ? nil : caps.removing("colorimetry")
    }
  }

  /// Has formats pass with the colours that `body` gives in place of what they don't state. With
  /// `onlyMatrixIsKnown` they state no more than a matrix and a range, and the rest is made up.
  func giveColors(
    onlyMatrixIsKnown: Bool, _ body: @escaping @Sendable () -> String?
  ) {
    complete { caps in
      guard let header = body() else { return nil }
      let own = caps.stated("colorimetry")
      let colors = own.map { Caps.colors($0, completedBy: header, onlyMatrixIsKnown) } ?? header
      return colors == own ? nil : caps.setting("colorimetry", colors)
    }
  }

  /// Has formats pass as `body` completes them, where it does.
  func complete(_ body: @escaping @Sendable (Caps) -> Caps?) {
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_CAPS else { return nil }
      var caps: UnsafeMutablePointer<GstCaps>?
      unsafe gst_event_parse_caps(event, &caps)
      guard let caps = unsafe caps else { return nil }
      return unsafe body(Caps(taking: gst_caps_ref(caps))).map(Event.caps)
    }
  }
}

extension Caps {
  /// Colours with those of a header where they say nothing. A header that says limited range isn't believed
  /// where samples say something: GStreamer's reader of movies says so of all.
  fileprivate static func colors(
    _ own: String, completedBy header: String, _ onlyMatrixIsKnown: Bool
  ) -> String {
    var (made, stated) = (GstVideoColorimetry(), GstVideoColorimetry())
    guard unsafe gst_video_colorimetry_from_string(&made, own) != 0,
      unsafe gst_video_colorimetry_from_string(&stated, header) != 0
    else { return own }
    if made.range == GST_VIDEO_COLOR_RANGE_UNKNOWN, stated.range == GST_VIDEO_COLOR_RANGE_0_255 {
      made.range = stated.range
    }
    if made.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN { made.matrix = stated.matrix }
    let isTransferStated = stated.transfer != GST_VIDEO_TRANSFER_UNKNOWN
    if made.transfer == GST_VIDEO_TRANSFER_UNKNOWN || onlyMatrixIsKnown && isTransferStated {
      made.transfer = stated.transfer
    }
    let arePrimariesStated = stated.primaries != GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
    if made.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN
      || onlyMatrixIsKnown && arePrimariesStated
    {
      made.primaries = stated.primaries
    }
    guard let text = unsafe gst_video_colorimetry_to_string(&made) else { return own }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// The same with the usual matrix; `nil` where they state one, no colorimetry, or aren't YUV. Gray is
  /// YUV of which the colours are left out.
  fileprivate var withMatrix: Caps? {
    guard let structure = unsafe gst_caps_get_structure(raw, 0),
      let stated = unsafe gst_structure_get_string(structure, "colorimetry"),
      let name = unsafe gst_structure_get_string(structure, "format")
    else { return nil }
    var colors = GstVideoColorimetry()
    var height: gint = 0
    let lumaFlags = GST_VIDEO_FORMAT_FLAG_YUV.rawValue | GST_VIDEO_FORMAT_FLAG_GRAY.rawValue
    let format = unsafe gst_video_format_from_string(name)
    guard let info = unsafe gst_video_format_get_info(format),
      unsafe info.pointee.flags.rawValue & lumaFlags != 0,
      unsafe gst_video_colorimetry_from_string(&colors, stated) != 0,
      colors.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN,
      unsafe gst_structure_get_int(structure, "height", &height) != 0
    else { return nil }
    // As `gst_video_info_set_format` has it.
    colors.matrix = height > 576 ? GST_VIDEO_COLOR_MATRIX_BT709 : GST_VIDEO_COLOR_MATRIX_BT601
    guard let text = unsafe gst_video_colorimetry_to_string(&colors) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe setting("colorimetry", String(cString: text))
  }

  /// The text of a field of the first structure; `nil` where it has none.
  func stated(_ field: String) -> String? {
    guard let structure = unsafe gst_caps_get_structure(raw, 0),
      let text = unsafe gst_structure_get_string(structure, field)
    else { return nil }
    return unsafe String(cString: text)
  }

  /// The same with a text in a field.
  func setting(_ field: String, _ text: String) -> Caps? {
    guard let copy = unsafe gst_caps_copy(raw) else { return nil }
    var value = GValue()
    unsafe g_value_init(&value, g_type_from_name("gchararray"))
    unsafe g_value_set_string(&value, text)
    defer { unsafe g_value_unset(&value) }
    unsafe gst_caps_set_value(copy, field, &value)
    return unsafe Caps(taking: copy)
  }

  /// The same without a field.
  fileprivate func removing(_ field: String) -> Caps? {
    guard let copy = unsafe gst_caps_copy(raw) else { return nil }
    unsafe gst_structure_remove_field(gst_caps_get_structure(copy, 0), field)
    return unsafe Caps(taking: copy)
  }
}
