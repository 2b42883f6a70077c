import CGStreamer

extension Element {
  /// Has an element that writes tags write one, whatever its streams say; `false` where it writes
  /// none, where there is no such tag, or where the text is none of its values.
  package func setTag(_ name: String, _ text: String) -> Bool {
    let instance = unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    guard unsafe g_type_check_instance_is_a(instance, gst_tag_setter_get_type()) != 0,
      unsafe gst_tag_exists(name) != 0
    else { return false }
    var value = GValue()
    unsafe g_value_init(&value, gst_tag_get_type(name))
    defer { unsafe g_value_unset(&value) }
    if unsafe gst_tag_get_type(name) == g_type_from_name("gchararray") {
      unsafe g_value_set_string(&value, text)
    } else if unsafe gst_value_deserialize(&value, text) == 0 {
      return false
    }
    unsafe gst_tag_setter_add_tag_value(
      OpaquePointer(raw), GST_TAG_MERGE_REPLACE, name, &value)
    return true
  }
}
