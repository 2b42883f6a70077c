import CGStreamer

/// What a stream has said of itself and of its file so far.
struct TagEvents {
  private var said: [(texts: [String: String], ofFile: Bool)] = []
  /// The pictures, each once.
  private(set) var pictures: [Event.Picture] = []
  /// How long tags say that the stream is, in nanoseconds.
  private(set) var duration: UInt64?

  /// The texts of the stream, or, with `ofFile`, of its file; of what was said twice, what was said first.
  func texts(ofFile: Bool) -> [String: String] {
    said.filter { $0.ofFile == ofFile }.reduce(into: [:]) { all, tags in
      all.merge(tags.texts) { first, _ in first }
    }
  }

  fileprivate mutating func add(_ event: borrowing Event) {
    guard case .tags(let texts, let found) = event.kind else { return }
    said.append((texts, event.areTagsOfFile))
    for picture in found where !pictures.contains(picture) { pictures.append(picture) }
    duration = duration ?? event.taggedDuration
  }
}

extension Pad {
  /// What its stream has said so far.
  var tagEvents: TagEvents {
    var events = TagEvents()
    var index: guint = 0
    while let raw = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_TAG, index) {
      events.add(unsafe Event(taking: raw))
      index += 1
    }
    return events
  }

  /// Lets no tags pass.
  package func dropTags() { drop(GST_EVENT_TAG) }

  /// Lets no events of a type pass downstream.
  func drop(_ type: GstEventType) {
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      { _, info, type in
        guard let info = unsafe info, let data = unsafe info.pointee.data,
          unsafe data.assumingMemoryBound(to: GstEvent.self).pointee.type.rawValue
            == UInt32(UInt(bitPattern: type))
        else { return GST_PAD_PROBE_OK }
        return GST_PAD_PROBE_DROP
      }, unsafe UnsafeMutableRawPointer(bitPattern: UInt(type.rawValue)), nil)
  }
}
