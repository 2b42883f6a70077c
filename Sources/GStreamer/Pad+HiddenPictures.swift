import CGStreamer

extension Pad {
  /// Has the pictures in tags pass under names of our own, for an element that would write those that it
  /// knows into the header of its stream: each is in the caps then, as text of twice the size.
  package func hidePictures() { rename(HiddenPictures.names) }

  /// Has pictures that were hidden pass under their names again.
  package func showPictures() {
    rename(HiddenPictures.names.map { (from: $0.to, to: $0.from) })
  }

  private func rename(_ names: [(from: String, to: String)]) {
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_TAG else { return nil }
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      guard let list = unsafe list, let renamed = unsafe HiddenPictures.copy(list, names) else {
        return nil
      }
      return unsafe Event(taking: gst_event_new_tag(renamed))
    }
  }
}

private enum HiddenPictures {
  /// What tags call pictures, and what hides them.
  static let names = {
    let names = ["image", "preview-image"].map { (from: $0, to: "graphkit-\($0)") }
    for name in names {
      unsafe gst_tag_register(
        name.to, GST_TAG_FLAG_META, gst_sample_get_type(), name.from, name.from,
        { first, all in unsafe gst_tag_merge_use_first(first, all) })
    }
    return names
  }()

  /// The tags with other names, which belong to the caller; `nil` where they have none of those.
  static func copy(
    _ list: UnsafeMutablePointer<GstTagList>, _ names: [(from: String, to: String)]
  ) -> UnsafeMutablePointer<GstTagList>? {
    let found = names.filter { unsafe gst_tag_list_get_tag_size(list, $0.from) > 0 }
    guard !found.isEmpty, let copy = unsafe gst_tag_list_copy(list) else { return nil }
    for name in found {
      for index in 0..<(unsafe gst_tag_list_get_tag_size(list, name.from)) {
        let value = unsafe gst_tag_list_get_value_index(list, name.from, index)
        unsafe gst_tag_list_add_value(copy, GST_TAG_MERGE_APPEND, name.to, value)
      }
      unsafe gst_tag_list_remove_tag(copy, name.from)
    }
    return unsafe copy
  }
}
