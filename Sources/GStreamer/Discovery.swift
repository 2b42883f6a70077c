import CGStreamer
import Glibc

/// Finds the streams of a file by running its demuxer and parsers up to the first samples.
package enum Discovery {
  /// A stream of a file.
  package struct Stream: Sendable {
    /// The same at each reading of the file.
    package var identifier: String
    package var caps: Caps
    /// In nanoseconds, where the file says.
    package var duration: UInt64?
  }

  /// Why a file's streams can't be had.
  package enum Failure: Error {
    /// GStreamer's own words.
    case failed(String)
    /// Nothing was found in time.
    case timedOut
    /// The element of this name isn't installed.
    case missing(String)
  }

  /// The streams of a file, in its own order. It must be a regular file: a pipe would block.
  package static func streams(of path: String, within nanoseconds: UInt64) throws(Failure)
    -> [Stream]
  {
    Library.start(plugins: nil)
    let pipeline = Element.pipeline("discovery")
    let source = try make("filesrc")
    let parser = try make("parsebin")
    // Property text that begins with a quotation mark would be unquoted.
    _ = source.set("location", path.hasPrefix("\"") ? "./\(path)" : path)
    pipeline.add(source)
    pipeline.add(parser)
    guard source.link(to: parser), let bus = pipeline.bus else { throw .failed("no link") }
    let found = Monitor(Found())
    parser.onPadAdded { pad in
      // Without the block the parser would run on through the whole file, or fail for want of a
      // link. It ends with the pad.
      pad.block()
      found.withLock { $0.pads.append(pad) }
      bus.wake()
    }
    // On its way down it waits for the threads that the blocks hold, and wakes them.
    defer { pipeline.setState(.null) }
    pipeline.setState(.paused)
    try wait(for: found, bus, until: now() + nanoseconds)
    return found.withLock { $0.pads }.compactMap(stream)
  }

  private struct Found {
    var pads: [Pad] = []
    /// How many there will be, once the parser has said so.
    var expected: Int?

    var isComplete: Bool { expected.map { pads.count >= $0 } ?? false }
  }

  private static func make(_ factory: String) throws(Failure) -> Element {
    guard let element = Element(factory: factory, name: "discovery-\(factory)") else {
      throw .missing(factory)
    }
    return element
  }

  private static func wait(for found: Monitor<Found>, _ bus: Bus, until deadline: UInt64)
    throws(Failure)
  {
    while true {
      let time = now()
      guard time < deadline, let message = bus.next(within: deadline - time) else {
        throw .timedOut
      }
      switch message {
      case .streams(let count): found.withLock { $0.expected = count }
      case .error(_, let text, _): throw .failed(text)
      case .endOfStream: throw .failed("The file ends before any stream begins.")
      default: break
      }
      if found.withLock({ $0.isComplete }) { return }
    }
  }

  private static func stream(_ pad: Pad) -> Stream? {
    guard let caps = pad.currentCaps ?? pad.possibleCaps else { return nil }
    return Stream(identifier: pad.streamIdentifier ?? pad.name, caps: caps, duration: pad.duration)
  }

  private static func now() -> UInt64 { UInt64(g_get_monotonic_time()) * 1_000 }
}

extension Pad {
  /// Holds back samples, but not events, until the pad is deactivated.
  func block() {
    let type = GstPadProbeType(
      rawValue: GST_PAD_PROBE_TYPE_BLOCK.rawValue | GST_PAD_PROBE_TYPE_BUFFER.rawValue
        | GST_PAD_PROBE_TYPE_BUFFER_LIST.rawValue)
    unsafe gst_pad_add_probe(raw, type, { _, _, _ in GST_PAD_PROBE_OK }, nil, nil)
  }

  /// The length of the stream, in nanoseconds, where the file says.
  package var duration: UInt64? {
    var duration: gint64 = -1
    guard unsafe gst_pad_query_duration(raw, GST_FORMAT_TIME, &duration) != 0, duration >= 0 else {
      return nil
    }
    return UInt64(duration)
  }
}
