import CGStreamer
import GraphKitSystem

extension Element {
  /// Has the tracks of movies that come in pieces with times, as of an HLS playlist, lie as their edit lists
  /// say, which their demuxer (GStreamer 1.22) passes over: frames out of order and an encoder's first
  /// samples move each track by an amount of its own. All of them come a second later by that.
  ///
  /// `read` is given a `moov` box and returns, by the numbers of tracks, the times in them that are presented
  /// at zero, in nanoseconds; below zero where nothing is presented before. It is called on the streaming
  /// thread.
  package func keepEditLists(_ read: @escaping @Sendable ([UInt8]) -> [Int: Int64]) {
    guard isBin else { return }
    onChild { child in
      guard child.factoryName == "qtdemux", let sink = child.pad("sink") else { return }
      let starts = Monitor<[Int: Int64]?>(nil)
      sink.onMovieIndex { index in
        let new = index.map(read) ?? [:]
        starts.withLock { $0 = ($0 ?? [:]).merging(new) { $1 } }
      }
      child.onPadAdded { pad in
        let track = Monitor(pad.streamIdentifier.flatMap(trackNumber))
        pad.delay(whereTimed: { starts.withLock { $0 } }, track)
      }
    }
  }
}

/// The number of a track, with which the demuxer ends the stream's identifier.
private func trackNumber(of identifier: String) -> Int? {
  identifier.split(separator: "/").last.flatMap { Int($0) }
}

extension Pad {
  /// As late as a track begins by its edit list at most, so that no sample has a time below zero.
  private static let longestStart: Int64 = 1_000_000_000

  /// Calls `body` where a stream with times begins, and then with each `moov` box that passes, on its
  /// thread.
  fileprivate func onMovieIndex(_ body: @escaping @Sendable ([UInt8]?) -> Void) {
    let isTimed = Monitor(false)
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { return nil }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      let isTime = segment.format == GST_FORMAT_TIME
      isTimed.withLock { $0 = isTime }
      if isTime { body(nil) }
      return nil
    }
    let boxes = Monitor(PassingBoxes(type: "moov"))
    replaceBuffers(arePushed: true) { buffer in
      guard isTimed.withLock({ $0 }) else { return buffer }
      let indexes = boxes.withLock { $0.take(buffer) }
      for index in indexes { body(index) }
      return buffer
    }
  }

  /// Moves what passes by what is missing to the longest start, and has none of it be after the end. `starts`
  /// is `nil` as long as nothing has a time. Tracks without a list are as late as the others.
  fileprivate func delay(
    whereTimed starts: @escaping @Sendable () -> [Int: Int64]?, _ track: Monitor<Int?>
  ) {
    replaceBuffers { buffer in
      guard let starts = starts() else { return buffer }
      let start = track.withLock { $0 }.flatMap { starts[$0] } ?? 0
      let limit = Self.longestStart
      let shift = UInt64(limit - max(-limit, min(limit, start)))
      var buffer = buffer
      buffer.makeWritable()
      buffer.presentationTime = buffer.presentationTime.map { $0 &+ shift }
      buffer.decodeTime = buffer.decodeTime.map { $0 &+ shift }
      return buffer
    }
    unsafe replaceEvents { event in
      if unsafe event.pointee.type == GST_EVENT_STREAM_START {
        var text: UnsafePointer<gchar>?
        unsafe gst_event_parse_stream_start(event, &text)
        let number = unsafe text.flatMap { unsafe trackNumber(of: String(cString: $0)) }
        track.withLock { $0 = number ?? $0 }
      }
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT, starts() != nil else { return nil }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      segment.stop = .max
      return unsafe Event(taking: gst_event_new_segment(&segment))
    }
  }
}

/// The boxes of a movie that passes in pieces.
private struct PassingBoxes {
  /// Larger ones are no index of a movie in pieces.
  private static let limit = 1 << 24

  private let type: [UInt8]
  private var header: [UInt8] = []
  private var box: [UInt8]?
  /// How many bytes of the present box are still to come.
  private var rest = 0

  init(type: String) { self.type = Array(type.utf8) }

  /// Takes the next bytes; returns what is whole of the boxes that were asked for.
  mutating func take(_ buffer: borrowing Buffer) -> [[UInt8]] {
    if buffer.isDiscontinuity { (header, box, rest) = ([], nil, 0) }
    guard let map = BufferMap(buffer) else { return [] }
    let bytes = map.span(of: UInt8.self, from: 0, count: map.size)
    var (found, position) = ([[UInt8]](), 0)
    while position < bytes.count {
      if rest == 0 {
        header.append(bytes[position])
        position += 1
        openBox()
      } else {
        let count = min(rest, bytes.count - position)
        if box != nil { for index in position..<position + count { box?.append(bytes[index]) } }
        (position, rest) = (position + count, rest - count)
      }
      if rest == 0, let whole = box {
        found.append(whole)
        box = nil
      }
    }
    return found
  }

  private mutating func openBox() {
    guard header.count >= 8 else { return }
    var size = header[..<4].reduce(0) { $0 << 8 | Int($1) }
    if size == 1 {
      guard header.count == 16 else { return }
      size = Int(clamping: header[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    // One without an end, or what is no box: there is nothing to be found after it.
    rest = size < header.count ? .max : size - header.count
    box = header[4..<8].elementsEqual(type) && size <= Self.limit ? header : nil
    header = []
  }
}
