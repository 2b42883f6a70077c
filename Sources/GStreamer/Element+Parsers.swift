import CGStreamer
import System

/// How many packets entered a parser of video, and how many came out of it.
package struct ParsedPackets: Sendable, Equatable {
  /// Packets with a time of their own: those of a demuxer, not pieces of a byte stream.
  package var entered = 0
  /// Packets that came out.
  package var left = 0
  /// How many had entered when the first came out.
  package var lead = 0
}

extension Element {
  /// Calls `body` for each parser of video that this bin has made, at the end of its stream and on
  /// its thread, with the stream's identifier. Not where what follows had enough before.
  package func onParsedVideo(_ body: @escaping @Sendable (String?, ParsedPackets) -> Void) {
    let callback: @convention(c) (gpointer?, gpointer?, gpointer?) -> Void = { _, child, box in
      guard let child = unsafe child, let box = unsafe box else { return }
      let element = unsafe Element(
        sinking: child.assumingMemoryBound(to: GstElement.self))
      guard element.isVideoParser else { return }
      unsafe element.countPackets(
        Unmanaged<Box<@Sendable (String?, ParsedPackets) -> Void>>.fromOpaque(box)
          .takeUnretainedValue().value)
    }
    unsafe connect("element-added", unsafeBitCast(callback, to: GCallback.self), Box(body))
  }

  private var isVideoParser: Bool {
    guard let factory = unsafe gst_element_get_factory(raw),
      let text = unsafe gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS)
    else { return false }
    let words = unsafe String(cString: text).split(separator: "/")
    return words.contains("Parser") && words.contains("Video")
  }

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
    source.onBuffer { _ in
      packets.withLock { packets in
        if packets.left == 0 { packets.lead = packets.entered }
        packets.left += 1
      }
    }
    source.onOwnEnd { _ in body(sink.streamIdentifier, packets.withLock { $0 }) }
  }
}

extension Pad {
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
