import CGStreamer
import GraphKitSystem

/// How many packets entered a parser of video, and how many came out of it.
package struct ParsedPackets: Sendable, Equatable {
  /// Packets with a time of their own: those of a demuxer, not pieces of a byte stream.
  package var entered = 0
  /// Packets that came out.
  package var left = 0
  /// How many had entered when the first came out.
  package var latency = 0
}

extension Element {
  /// Calls `body` for each parser of video that this bin has made, at the end of its stream and on
  /// its thread, with the stream's identifier. Not where what follows had enough before.
  package func onParsedVideo(_ body: @escaping @Sendable (String?, ParsedPackets) -> Void) {
    onChild { element in
      if element.isVideoParser { element.countPackets(body) }
    }
  }

  /// Calls `body` at the end of MPEG audio that this bin has read without a demuxer, on its thread,
  /// with the stream's identifier, how many bytes came out of its parser, and how many there are.
  /// Not where what follows had enough before.
  package func onParsedMPEGAudio(
    _ body: @escaping @Sendable (_ stream: String?, _ read: Int, _ count: Int) -> Void
  ) {
    onChild { element in
      guard element.factoryName == "mpegaudioparse", let sink = element.pad("sink"),
        let source = element.pad("src")
      else { return }
      let read = Monitor(0)
      source.onByteCounts { count in read.withLock { $0 += count } }
      source.onOwnEnd { _ in
        guard let count = sink.byteCount else { return }
        body(sink.streamIdentifier, read.withLock { $0 }, count)
      }
    }
  }

  /// Has a parser of audio or video, or those in a bin, take a stream's format from its samples alone.
  ///
  /// Where a stream begins seconds after another, or ends before it, the demuxer says that it has nothing
  /// yet. A parser (1.22) would make up a format then, such as 1 Hz, since all that follows needs one before
  /// it may hear of a gap; it would change with the first sample. Or it hands on the gap before its segment,
  /// of which what follows makes no time.
  ///
  /// The colours of video, too, are those that its samples say; a file's header is believed in what they
  /// say nothing of. GStreamer's reader of movies (1.22) takes every header of theirs for one of limited
  /// range.
  ///
  /// Video of no steady rate says in how small units its encoder counts time, which parsers (1.22) take for
  /// its frame rate: it goes on as video of a varying rate.
  package func takeFormatsFromSamples() {
    if isBin { onChild { $0.takeOwnFormat() } } else { takeOwnFormat() }
  }

  private func takeOwnFormat() {
    dropOpeningGaps()
    if factoryName == "avidemux" { onPadAdded { $0.correctTimesOfAVI() } }
    guard isVideoParser, let sink = pad("sink"), let source = pad("src") else { return }
    if ["h264parse", "h265parse"].contains(factoryName) { sink.moveClosingZeros() }
    let stated = Monitor<String?>(nil)
    sink.withholdColors { colors in stated.withLock { $0 = colors } }
    // The header of VP9's frames has a matrix and a range; its parser makes up the rest.
    source.giveColors(onlyMatrixIsKnown: factoryName == "vp9parse") { stated.withLock { $0 } }
    source.forgetTickRates(of: sink)
  }

  private func dropOpeningGaps() {
    guard isKind("Parser"), !isKind("Subtitle"), let sink = pad("sink"), let source = pad("src")
    else { return }
    sink.dropGaps(until: source)
  }

  /// Calls `body` for each element that this bin, or one within it, takes in.
  func onChild(_ body: @escaping @Sendable (Element) -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?, gpointer?) -> Void = {
      _, _, child, box in
      guard let child = unsafe child, let box = unsafe box else { return }
      unsafe Unmanaged<Box<@Sendable (Element) -> Void>>.fromOpaque(box).takeUnretainedValue()
        .value(Element(sinking: child.assumingMemoryBound(to: GstElement.self)))
    }
    unsafe connect("deep-element-added", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  var isVideoParser: Bool { isKind("Parser") && isKind("Video") }

  private func countPackets(_ body: @escaping @Sendable (String?, ParsedPackets) -> Void) {
    guard let sink = pad("sink"), let source = pad("src") else { return }
    let packets = Monitor(ParsedPackets())
    let last = Monitor<UInt64?>(nil)
    sink.onPushedTimes { time in
      // `tsdemux` (1.22) may give a stream's first packet in two parts, with the same time.
      let isNew = last.withLock { last in
        defer { last = time }
        return last != time
      }
      if isNew { packets.withLock { $0.entered += 1 } }
    }
    source.onData { _ in
      packets.withLock { packets in
        if packets.left == 0 { packets.latency = packets.entered }
        packets.left += 1
      }
    }
    // What was on its way is gone, as before a seek.
    sink.onFlush { packets.withLock { $0 = ParsedPackets() } }
    source.onOwnEnd { _ in body(sink.streamIdentifier, packets.withLock { $0 }) }
  }
}

extension Pad {
  /// Lets no gap pass that comes before its element has told by another pad which times samples have.
  fileprivate func dropGaps(until source: Pad) {
    let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
    let box = unsafe Unmanaged.passRetained(Box(source)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box else { return GST_PAD_PROBE_OK }
        let source = unsafe Unmanaged<Box<Pad>>.fromOpaque(box).takeUnretainedValue().value
        let isSample = unsafe info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0
        if isSample { return source.hasSegment ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK }
        guard let event = unsafe gst_pad_probe_info_get_event(info),
          unsafe event.pointee.type == GST_EVENT_GAP, !source.hasSegment
        else { return GST_PAD_PROBE_OK }
        return GST_PAD_PROBE_DROP
      }, box, { box in unsafe releaseBox(box) })
  }

  private var hasSegment: Bool {
    guard let event = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_SEGMENT, 0) else {
      return false
    }
    unsafe gst_event_unref(event)
    return true
  }

  /// How many bytes there are for this input, of a stream of bytes; `nil` for one with times.
  fileprivate var byteCount: Int? {
    if let event = unsafe gst_pad_get_sticky_event(raw, GST_EVENT_SEGMENT, 0) {
      defer { unsafe gst_event_unref(event) }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      guard segment.format == GST_FORMAT_BYTES else { return nil }
    }
    var count: gint64 = -1
    guard unsafe gst_pad_peer_query_duration(raw, GST_FORMAT_BYTES, &count) != 0 else { return nil }
    return count >= 0 ? Int(count) : nil
  }

  /// Calls `body` at the end of each flush.
  func onFlush(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GST_PAD_PROBE_TYPE_EVENT_FLUSH,
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box,
          let event = unsafe gst_pad_probe_info_get_event(info)
        else { return GST_PAD_PROBE_OK }
        if unsafe event.pointee.type == GST_EVENT_FLUSH_STOP {
          unsafe Unmanaged<Box<@Sendable () -> Void>>.fromOpaque(box).takeUnretainedValue().value()
        }
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }

  /// Calls `body` with the time of each buffer that is pushed here with one.
  fileprivate func onPushedTimes(_ body: @escaping @Sendable (UInt64) -> Void) {
    let types = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_PUSH.rawValue
    let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    unsafe gst_pad_add_probe(
      raw, GstPadProbeType(types),
      { _, info, box in
        guard let info = unsafe info, let box = unsafe box, let data = unsafe info.pointee.data
        else { return GST_PAD_PROBE_OK }
        let buffer = unsafe data.assumingMemoryBound(to: GstBuffer.self)
        let time = unsafe UInt64(buffer.pointee.dts).known ?? UInt64(buffer.pointee.pts).known
        if let time {
          unsafe Unmanaged<Box<@Sendable (UInt64) -> Void>>.fromOpaque(box).takeUnretainedValue()
            .value(time)
        }
        return GST_PAD_PROBE_OK
      }, box, { box in unsafe releaseBox(box) })
  }
}
