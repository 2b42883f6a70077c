/// The text of a playlist of segments: HTTP Live Streaming (RFC 8216, 4.3).
struct MediaPlaylist {
  /// Whether segments are still to come, and whether those that are listed stay.
  enum Kind { case growing, sliding, complete, completeWindow }

  /// A segment as it is listed.
  struct Segment: Hashable, Sendable {
    /// The reference to its file.
    var reference: String
    /// Its bytes, where the file has others besides.
    var bytes: Range<Int>?
    /// In nanoseconds.
    var duration: Int64
    /// When it was recorded, in nanoseconds since 1970, where that is known.
    var date: Int64?
    /// Whether there is no such file: players pass over its time.
    var isGap = false
  }

  var kind: Kind
  /// The reference to what every segment needs, and its bytes where the file has others besides.
  var map: (reference: String, bytes: Range<Int>?)
  var segments: [Segment]
  /// The number of the first.
  var sequence: Int
  /// The length that segments are to have, in nanoseconds.
  var segmentDuration: Int64

  /// In seconds: rounded to whole ones, no segment is longer (4.3.3.1).
  var targetDuration: Int64 {
    // A segment is longer than it is to be by less than a frame.
    let wanted = segmentDuration + 50_000_000
    let longest = segments.map(\.duration).reduce(wanted, max)
    return max(1, (longest + 500_000_000) / 1_000_000_000)
  }

  var text: String {
    // Gaps came with the second edition (draft-pantos-hls-rfc8216bis, 4.4.4.7).
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:\(segments.contains(where: \.isGap) ? 8 : 7)",
      "#EXT-X-TARGETDURATION:\(targetDuration)", "#EXT-X-MEDIA-SEQUENCE:\(sequence)",
    ]
    switch kind {
    case .growing: lines.append("#EXT-X-PLAYLIST-TYPE:EVENT")
    case .complete: lines.append("#EXT-X-PLAYLIST-TYPE:VOD")
    case .sliding, .completeWindow: break
    }
    lines.append("#EXT-X-INDEPENDENT-SEGMENTS")
    lines.append(
      "#EXT-X-MAP:URI=\"\(map.reference)\""
        + (map.bytes.map { ",BYTERANGE=\"\($0.count)@\($0.lowerBound)\"" } ?? ""))
    for segment in segments {
      if let date = segment.date {
        lines.append("#EXT-X-PROGRAM-DATE-TIME:\(StreamText.date(date))")
      }
      if segment.isGap { lines.append("#EXT-X-GAP") }
      lines.append("#EXTINF:\(StreamText.seconds(segment.duration)),")
      if let bytes = segment.bytes {
        lines.append("#EXT-X-BYTERANGE:\(bytes.count)@\(bytes.lowerBound)")
      }
      lines.append(segment.reference)
    }
    if kind == .complete || kind == .completeWindow { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n") + "\n"
  }
}
