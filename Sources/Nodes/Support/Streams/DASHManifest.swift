import Containers
import GraphKit

/// The manifest of a stream for players of DASH (ISO/IEC 23009-1), after the profile `isoff-live`: it
/// names the same segments as the playlists.
struct DASHManifest {
  let renditions: [Rendition]
  /// The length that segments are to have, in nanoseconds.
  let segmentDuration: Int64
  /// How much of a stream without end is listed, in nanoseconds; `nil` for all of it.
  let window: Int64?
  /// The time of day at the stream's beginning and at the writing, in nanoseconds since 1970, while
  /// the stream is recorded live; `nil` where what is listed is all that there is so far.
  let live: (start: Int64, now: Int64)?
  /// Whether players may have followed the stream by now, whose places in it stay where they are.
  var wasLive = false

  var text: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, head]
    lines.append(period)
    for (index, members) in sets.enumerated() {
      lines += adaptationSet(members, number: index + 1)
    }
    lines += ["  </Period>", "</MPD>"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Renditions that a player may change between: of video those whose colours are of one kind.
  private var sets: [[Rendition]] {
    var sets: [[Rendition]] = []
    for rendition in renditions where rendition.isVideo {
      let color = rendition.highRangeColor
      if let index = sets.firstIndex(where: { $0[0].highRangeColor == color }) {
        sets[index].append(rendition)
      } else {
        sets.append([rendition])
      }
    }
    return sets + renditions.filter { !$0.isVideo }.map { [$0] }
  }

  /// One that begins later says its length itself: ffmpeg takes it from there, or for nothing.
  private var period: String {
    guard start > 0 else { return #"  <Period id="1" start="PT0S">"# }
    let times = [start, end - start].map { StreamText.seconds(Int64($0 * 1e9)) }
    let fields = [("id", "1"), ("start", "PT\(times[0])S"), ("duration", "PT\(times[1])S")]
    return "  <Period \(Self.attributes(fields))>"
  }

  private var head: String {
    let wanted = StreamText.seconds(segmentDuration)
    let longest = renditions.flatMap(\.segments).map(\.duration).max() ?? segmentDuration
    var fields = [
      ("xmlns", "urn:mpeg:dash:schema:mpd:2011"),
      ("profiles", "urn:mpeg:dash:profile:isoff-live:2011"),
      ("type", live == nil ? "static" : "dynamic"), ("minBufferTime", "PT\(wanted)S"),
      ("maxSegmentDuration", "PT\(StreamText.seconds(longest))S"),
    ]
    if let live {
      fields += [
        ("availabilityStartTime", StreamText.date(live.start)),
        ("publishTime", StreamText.date(live.now)), ("minimumUpdatePeriod", "PT\(wanted)S"),
        ("suggestedPresentationDelay", "PT\(StreamText.seconds(3 * segmentDuration))S"),
      ]
      if let window {
        fields.append(("timeShiftBufferDepth", "PT\(StreamText.seconds(window))S"))
      }
    } else {
      let length = Int64((end - opening + start) * 1e9)
      fields.append(("mediaPresentationDuration", "PT\(StreamText.seconds(length))S"))
    }
    return "<MPD " + Self.attributes(fields) + ">"
  }

  /// When the period begins, in seconds of the presentation.
  private var start: Double { wasLive ? opening : 0 }

  /// When the period begins, in seconds of the stream. Where its beginning isn't listed any more, and
  /// nothing follows, that is with what is left of it (ISO/IEC 23009-1, 5.3.9.2).
  private var opening: Double {
    guard live == nil, renditions.contains(where: { $0.removedCount > 0 }) else { return 0 }
    return renditions.compactMap { rendition in
      rendition.segments.first.map {
        Double($0.time) / Double(max(1, rendition.facts.timescale))
      }
    }.min() ?? 0
  }

  /// When the last segment ends, in seconds of the stream.
  private var end: Double {
    renditions.map { rendition in
      let end = rendition.segments.last.map { $0.time + $0.length } ?? 0
      return Double(end) / Double(max(1, rendition.facts.timescale))
    }.max() ?? 0
  }

  private static func attributes(_ fields: [(String, String)]) -> String {
    fields.map { "\($0)=\"\(StreamText.escaped($1))\"" }.joined(separator: " ")
  }

  private func adaptationSet(_ members: [Rendition], number: Int) -> [String] {
    let isVideo = members[0].isVideo
    var fields = [
      ("id", "\(number)"), ("contentType", isVideo ? "video" : "audio"),
      ("mimeType", isVideo ? "video/mp4" : "audio/mp4"), ("segmentAlignment", "true"),
      ("startWithSAP", "1"),
    ]
    if let language = members[0].facts.tags["language-tag"]
      ?? members[0].facts.tags["language-code"]
    {
      fields.append(("lang", language))
    }
    return ["    <AdaptationSet \(Self.attributes(fields))>"] + properties(members[0])
      + members.flatMap { representation($0) } + ["    </AdaptationSet>"]
  }

  /// What a player has to know to show colours of high dynamic range, by the numbers of ISO/IEC 23091-2:
  /// one that doesn't know it chooses others.
  private func properties(_ rendition: Rendition) -> [String] {
    guard let color = rendition.highRangeColor else { return [] }
    let numbers = [
      ("ColourPrimaries", color.primaries), ("TransferCharacteristics", color.transfer),
      ("MatrixCoefficients", color.matrix),
    ]
    return numbers.map { name, number in
      let words = [("schemeIdUri", "urn:mpeg:mpegB:cicp:\(name)"), ("value", "\(number)")]
      return "      <EssentialProperty \(Self.attributes(words))/>"
    }
  }

  private func representation(_ rendition: Rendition) -> [String] {
    var fields = [
      ("id", rendition.name), ("codecs", rendition.facts.codecName ?? ""),
      ("bandwidth", "\(max(1, rendition.peakBitRate))"),
    ]
    if let size = rendition.shownSize {
      fields += [("width", "\(size.width)"), ("height", "\(size.height)")]
      if let rate = rendition.facts.format?.frameRate {
        fields.append(("frameRate", "\(rate.numerator)/\(rate.denominator)"))
      }
    } else if let rate = rendition.facts.format?.sampleRate {
      fields.append(("audioSamplingRate", "\(rate)"))
    }
    var lines = ["      <Representation \(Self.attributes(fields))>"]
    if !rendition.isVideo, let channels = rendition.facts.format?.channels {
      let scheme = "urn:mpeg:dash:23003:3:audio_channel_configuration:2011"
      let words = Self.attributes([("schemeIdUri", scheme), ("value", "\(channels)")])
      lines.append("        <AudioChannelConfiguration \(words)/>")
    }
    return lines + template(rendition) + ["      </Representation>"]
  }

  private func template(_ rendition: Rendition) -> [String] {
    var fields = [
      ("timescale", "\(rendition.facts.timescale)"),
      ("initialization", "$RepresentationID$-init.mp4"),
      ("media", "$RepresentationID$-$Number%05d$.m4s"),
      ("startNumber", "\(rendition.segments.first?.number ?? 1)"),
    ]
    let offset = Int((opening * Double(rendition.facts.timescale)).rounded())
    if offset > 0 { fields.append(("presentationTimeOffset", "\(offset)")) }
    return ["        <SegmentTemplate \(Self.attributes(fields))>", "          <SegmentTimeline>"]
      + timeline(rendition.segments)
      + ["          </SegmentTimeline>", "        </SegmentTemplate>"]
  }

  /// The segments' times, with those that are as long as the one before counted together.
  private func timeline(_ segments: [Rendition.Segment]) -> [String] {
    var rows: [(time: Int, length: Int, count: Int)] = []
    for segment in segments {
      if let last = rows.last, last.length == segment.length,
        last.time + last.length * last.count == segment.time
      {
        rows[rows.count - 1].count += 1
      } else {
        rows.append((segment.time, segment.length, 1))
      }
    }
    return rows.map { row in
      let repeats = row.count > 1 ? " r=\"\(row.count - 1)\"" : ""
      return "            <S t=\"\(row.time)\" d=\"\(row.length)\"\(repeats)/>"
    }
  }
}
