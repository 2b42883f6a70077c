import CGStreamer

extension Pad {
  /// Has each event of tags say what those before it have said, too, for an element that keeps the newest
  /// alone. What is said anew counts.
  package func gatherTags() {
    let gathered = GatheredTags()
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_TAG else { return nil }
      var list: UnsafeMutablePointer<GstTagList>?
      unsafe gst_event_parse_tag(event, &list)
      guard let list = unsafe list, let all = unsafe gathered.add(list) else { return nil }
      return unsafe Event(taking: gst_event_new_tag(all))
    }
  }
}

extension Pad {
  /// Calls `body` with each event of tags that passes, on its thread.
  package func onTags(_ body: @escaping (borrowing Event) -> Void) {
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_TAG else { return nil }
      unsafe body(Event(taking: gst_event_ref(event)))
      return nil
    }
  }
}

/// The tags that have passed a pad; touched on its streaming thread alone.
@safe private final class GatheredTags {
  private var all: UnsafeMutablePointer<GstTagList>?

  deinit { if let all = unsafe all { unsafe gst_tag_list_unref(all) } }

  /// Takes more, and returns all of them: a list that belongs to the caller.
  func add(_ list: UnsafeMutablePointer<GstTagList>) -> UnsafeMutablePointer<GstTagList>? {
    let merged = unsafe gst_tag_list_merge(all, list, GST_TAG_MERGE_REPLACE)
    if let all = unsafe all { unsafe gst_tag_list_unref(all) }
    unsafe all = merged
    return unsafe merged.map { unsafe gst_tag_list_ref($0) }
  }
}
