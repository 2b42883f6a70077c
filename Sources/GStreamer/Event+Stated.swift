import CGStreamer

extension Event {
  /// Whether tags are those of the file as a whole, and not of the stream alone.
  package var areTagsOfFile: Bool {
    guard unsafe raw.pointee.type == GST_EVENT_TAG else { return false }
    var list: UnsafeMutablePointer<GstTagList>?
    unsafe gst_event_parse_tag(raw, &list)
    guard let list = unsafe list else { return false }
    return unsafe gst_tag_list_get_scope(list) == GST_TAG_SCOPE_GLOBAL
  }

  /// Tags as texts say them, by GStreamer's names, with pictures in JPEG or PNG; of a stream, or of its
  /// file. Left out is what has no such name, isn't a text, number or time, or can't be read.
  package static func tags(
    _ texts: [String: String], pictures: [Picture], ofFile: Bool
  ) -> Event {
    let list = unsafe gst_tag_list_new_empty()!
    unsafe gst_tag_list_set_scope(list, ofFile ? GST_TAG_SCOPE_GLOBAL : GST_TAG_SCOPE_STREAM)
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { unsafe add(name, text, to: list) }
    for picture in pictures { unsafe add(picture, to: list) }
    return unsafe Event(taking: gst_event_new_tag(list))
  }

  private static func add(
    _ name: String, _ text: String, to list: UnsafeMutablePointer<GstTagList>
  ) {
    guard unsafe gst_tag_exists(name) != 0 else { return }
    let type = unsafe gst_tag_get_type(name)
    let isText = unsafe type == g_type_from_name("gchararray")
    let others = unsafe [g_type_from_name("guint"), g_type_from_name("gdouble")]
    // Values of other types may be anything that can be written as text.
    guard isText || others.contains(type) || type == gst_date_time_get_type() else { return }
    var value = GValue()
    unsafe g_value_init(&value, type)
    defer { unsafe g_value_unset(&value) }
    if isText {
      unsafe g_value_set_string(&value, text)
    } else if unsafe gst_value_deserialize(&value, text) == 0 {
      return
    }
    unsafe gst_tag_list_add_value(list, GST_TAG_MERGE_REPLACE, name, &value)
  }
}
