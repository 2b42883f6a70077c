import CGStreamer

extension Pad {
  /// Lets an event that begins a stream, or says its format or segment, pass only once.
  ///
  /// `parsebin` tells its pads of the file's streams on one thread while another one begins to send
  /// samples (so in GStreamer 1.22; 1.26 does it before). Both then send what a pad remembers, and
  /// the slower one's second beginning comes in the middle of the audio: decoders forget all that
  /// came before it, and MP3 is silent until it has enough bits again.
  ///
  /// A segment is the same where it says the same, whichever its number.
  ///
  /// For inputs: their events come one at a time, in the order of the first of each.
  package func dropRepeatedEvents() {
    let types =
      GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box,
          let event = unsafe gst_pad_probe_info_get_event(info)
        else { return GST_PAD_PROBE_OK }
        let last = unsafe Unmanaged<LastEvents>.fromOpaque(box).takeUnretainedValue()
        if unsafe event.pointee.type == GST_EVENT_FLUSH_STOP { last.forgetSegment() }
        return unsafe last.isRepeated(event) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      }, Unmanaged.passRetained(LastEvents()).toOpaque(), { box in unsafe releaseBox(box) })
  }

  /// Sends an event to an input, as the element linked to it would.
  package func send(_ event: consuming Event) -> Bool {
    unsafe gst_pad_send_event(raw, event.release()) != 0
  }
}

/// The last event of each type that passed an input; touched under the input's own lock.
@safe private final class LastEvents {
  // Kept, so that no other event can come to lie in the same place.
  private var events: [UnsafeMutablePointer<GstEvent>]

  private static let types = [GST_EVENT_STREAM_START, GST_EVENT_CAPS, GST_EVENT_SEGMENT]

  init() { unsafe events = [] }

  deinit { unsafe events.forEach { unsafe gst_event_unref($0) } }

  /// A pad that is flushed has no segment.
  func forgetSegment() {
    for index in unsafe events.indices.reversed()
    where unsafe events[index].pointee.type == GST_EVENT_SEGMENT {
      unsafe gst_event_unref(events.remove(at: index))
    }
  }

  /// Whether an event came before, as the last of its type; remembers it where it didn't.
  func isRepeated(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
    let type = unsafe event.pointee.type
    guard Self.types.contains(type) else { return false }
    guard let index = unsafe events.firstIndex(where: { unsafe $0.pointee.type == type }) else {
      unsafe events.append(gst_event_ref(event))
      return false
    }
    if unsafe Self.isSame(event, events[index]) { return true }
    if type == GST_EVENT_STREAM_START { forgetSegment() }
    unsafe gst_event_unref(events[index])
    unsafe events[index] = unsafe gst_event_ref(event)
    return false
  }

  /// A probe may have put a copy in an event's place: it has the number and says the same.
  private static func isSame(
    _ one: UnsafeMutablePointer<GstEvent>, _ other: UnsafeMutablePointer<GstEvent>
  ) -> Bool {
    guard unsafe one != other else { return true }
    guard unsafe one.pointee.type == GST_EVENT_SEGMENT else {
      return unsafe gst_event_get_seqnum(one) == gst_event_get_seqnum(other)
        && gst_structure_is_equal(gst_event_get_structure(one), gst_event_get_structure(other)) != 0
    }
    // `qtdemux` says the same segment with another number before a fragment: an encoder would end its
    // stream there and pad it.
    // As values, segments can't be compared: GStreamer would complain, and call them different.
    var (first, second) = (GstSegment(), GstSegment())
    unsafe gst_event_copy_segment(one, &first)
    unsafe gst_event_copy_segment(other, &second)
    return unsafe gst_segment_is_equal(&first, &second) != 0
  }
}
