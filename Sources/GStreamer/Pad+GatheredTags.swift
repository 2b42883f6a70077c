import CGStreamer

extension Pad {
  /// Has each event of tags say what those before it have said, too, for an element that keeps the newest
  /// alone. What is said anew counts.
  package func gatherTags() {
    let box = unsafe Unmanaged.passRetained(GatheredTags()).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box,
          let event = unsafe gst_pad_probe_info_get_event(info),
          unsafe event.pointee.type == GST_EVENT_TAG
        else { return GST_PAD_PROBE_OK }
        var list: UnsafeMutablePointer<GstTagList>?
        unsafe gst_event_parse_tag(event, &list)
        let gathered = unsafe Unmanaged<GatheredTags>.fromOpaque(box).takeUnretainedValue()
        guard let list = unsafe list, let all = unsafe gathered.add(list) else {
          return GST_PAD_PROBE_OK
        }
        unsafe Event(taking: gst_event_new_tag(all)).replace(event, in: info)
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
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
