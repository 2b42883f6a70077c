import CGStreamer

extension Element {
  /// Has a muxer write the chapters of its file, each with when it begins, in nanoseconds, and the next
  /// one's beginning as its end; `false` where it writes none. The last ends long after it begins, as
  /// the end of the file isn't known yet.
  package func setChapters(_ chapters: [(start: UInt64, title: String)]) -> Bool {
    let instance = unsafe UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GTypeInstance.self)
    guard unsafe g_type_check_instance_is_a(instance, gst_toc_setter_get_type()) != 0,
      let toc = unsafe gst_toc_new(GST_TOC_SCOPE_GLOBAL),
      let edition = unsafe gst_toc_entry_new(GST_TOC_ENTRY_TYPE_EDITION, "chapters")
    else { return false }
    defer { unsafe gst_mini_object_unref(miniObject(toc)) }
    let longest: UInt64 = 1_000 * 3_600_000_000_000
    for (index, chapter) in chapters.enumerated() {
      guard let entry = unsafe gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, "\(index + 1)"),
        let tags = unsafe gst_tag_list_new_empty()
      else { continue }
      let isLast = index + 1 == chapters.count
      let next = isLast ? chapter.start + longest : chapters[index + 1].start
      unsafe gst_toc_entry_set_start_stop_times(
        entry, Int(clamping: chapter.start), Int(clamping: next))
      var title = GValue()
      unsafe g_value_init(&title, gst_tag_get_type(GST_TAG_TITLE))
      unsafe g_value_set_string(&title, chapter.title)
      unsafe gst_tag_list_add_value(tags, GST_TAG_MERGE_REPLACE, GST_TAG_TITLE, &title)
      unsafe g_value_unset(&title)
      unsafe gst_toc_entry_set_tags(entry, tags)
      unsafe gst_toc_entry_append_sub_entry(edition, entry)
    }
    unsafe gst_toc_append_entry(toc, edition)
    unsafe gst_toc_setter_set_toc(OpaquePointer(raw), toc)
    return true
  }

  private func miniObject(_ toc: OpaquePointer) -> UnsafeMutablePointer<GstMiniObject> {
    unsafe UnsafeMutableRawPointer(toc).assumingMemoryBound(to: GstMiniObject.self)
  }
}

extension Pad {
  /// Lets no chapters pass that a demuxer found: a muxer (1.22) would write them in place of its own.
  package func dropChapters() { drop(GST_EVENT_TOC) }
}
