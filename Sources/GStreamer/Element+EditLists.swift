import CGStreamer
import GraphKitSystem

/// When a track of a movie begins by its edit list: the time in the track that is presented at zero.
package struct TrackStart: Hashable, Sendable {
  package var isVideo: Bool
  /// In nanoseconds; below zero where nothing is presented before the track.
  package var nanoseconds: Int64

  package init(isVideo: Bool, nanoseconds: Int64) {
    (self.isVideo, self.nanoseconds) = (isVideo, nanoseconds)
  }
}

extension Element {
  /// Has the tracks of movies that come in pieces with times, as of an HLS playlist, lie as their edit lists
  /// say, which their demuxer (GStreamer 1.22) passes over: frames out of order and an encoder's first
  /// samples move each track by an amount of its own. All of them come a second later by that.
  ///
  /// `read` is given a `moov` box and returns the starts of its audio and video tracks, in their order.
  /// It is called on the streaming thread.
  package func keepEditLists(_ read: @escaping @Sendable ([UInt8]) -> [TrackStart]) {
    guard isBin else { return }
    onChild { child in
      guard child.factoryName == "qtdemux", let sink = child.pad("sink") else { return }
      let starts = Monitor<[String: Int64]>([:])
      sink.onMovieIndex { index in
        let byName = names(of: read(index))
        starts.withLock { $0 = byName }
      }
      child.onPadAdded { pad in
        let name = pad.name
        pad.delay { starts.withLock { $0[name] } }
      }
    }
  }
}

/// Starts by the names that the demuxer gives to the tracks' pads.
private func names(of starts: [TrackStart]) -> [String: Int64] {
  var counts: [Bool: Int] = [:]
  var byName: [String: Int64] = [:]
  for start in starts {
    let number = counts[start.isVideo, default: 0]
    byName["\(start.isVideo ? "video" : "audio")_\(number)"] = start.nanoseconds
    counts[start.isVideo] = number + 1
  }
  return byName
}

extension Pad {
  /// Later than any track begins by its edit list, so that no sample has a time below zero.
  private static let longestStart: Int64 = 1_000_000_000

  /// Calls `body` with each `moov` box that passes in a stream with times, on its thread.
  fileprivate func onMovieIndex(_ body: @escaping @Sendable ([UInt8]) -> Void) {
    let isTimed = Monitor(false)
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT else { return nil }
      var segment = GstSegment()
      unsafe gst_event_copy_segment(event, &segment)
      isTimed.withLock { $0 = segment.format == GST_FORMAT_TIME }
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

  /// Moves what passes by what is missing to the longest start, and has none of it be after the end.
  fileprivate func delay(_ start: @escaping @Sendable () -> Int64?) {
    replaceBuffers { buffer in
      guard let start = start(), abs(start) <= Self.longestStart else { return buffer }
      let shift = UInt64(Self.longestStart - start)
      var buffer = buffer
      buffer.makeWritable()
      buffer.presentationTime = buffer.presentationTime.map { $0 &+ shift }
      buffer.decodeTime = buffer.decodeTime.map { $0 &+ shift }
      return buffer
    }
    unsafe replaceEvents { event in
      guard unsafe event.pointee.type == GST_EVENT_SEGMENT, start() != nil else { return nil }
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
