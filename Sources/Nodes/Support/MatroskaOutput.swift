import Containers
import GraphKit
import GraphKitSystem

/// A Matroska file that elements write.
struct MatroskaOutput: FileOutput {
  let place: OutputFile
  var file: OutputFile? { place }

  /// Whether it says when it was made.
  var isDated = true
  /// What the graph says of it.
  var settings: [String: String] = [:]
  /// Whether pictures can be attached to it.
  var takesPictures = true
  /// What streams say of themselves and their files, by ports.
  private let said = Monitor<[String: SaidTags]>([:])
  /// When the packet is presented that is the latest so far, and the one that came last, in nanoseconds.
  private let times = Monitor((newest: Int64(0), last: Int64(0)))

  init(file: OutputFile) { place = file }

  /// Notes what the stream at a port says.
  func notingTags(at port: String) -> PadFilter {
    .tags { [said] tags in said.withLock { $0[port, default: SaidTags()].add(tags) } }
  }

  /// Players of such files skip nothing but what Opus has in front, which its packets say.
  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "Matroska file")
    (rules.skipLeads, rules.leadCodecs) = (false, [.opus])
    return rules
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    codecFilters(for: format, track) + [clusters]
  }

  private func codecFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    switch format.codecs {
    case [.opus] where track.priming != nil && track.delay == nil:
      [.timedOpusPackets, .presentedOpusPackets, .clippedOpusEnd]
    case [.opus]: [.timedOpusPackets, .clippedOpusEnd]
    case [.flac]: [.flacFrames]
    case [.vorbis]: [.timedVorbisPackets]
    default: []
    }
  }

  /// A packet that is presented long before one of any track that is stored before it begins a cluster: the
  /// times of blocks are less than 32.8 s from that of their cluster (RFC 9559, 10.2), and GStreamer's muxer
  /// (1.22) begins one for what is later alone. Slides with B-frames are so far apart. Another track's packet,
  /// which the muxer takes first, may begin it instead: so the next one does, too.
  private var clusters: PadFilter {
    .beginnings { [times] in
      { time in
        times.withLock { times in
          defer { times.last = time }
          times.newest = max(times.newest, time)
          return times.newest &- min(time, times.last) > Self.longestWayBack
        }
      }
    }
  }

  private static let longestWayBack: Int64 = 30_000_000_000

  func finish(_ tracks: [OutputTrack]) throws(NodeError) {
    let leads = tracks.enumerated().compactMap { index, track in
      track.lead?.frames(at: 48_000).map { (index + 1, $0) }
    }
    let labels = tracks.enumerated().compactMap { index, track in
      track.label.map { (index + 1, $0) }
    }
    try MatroskaRepair.mend(
      place.path, preSkips: Dictionary(leads, uniquingKeysWith: { first, _ in first }),
      labels: Dictionary(labels, uniquingKeysWith: { first, _ in first }), tags: tags(tracks),
      isDated: isDated)
  }

  /// What the file says: what was asked for, then what files say, then what streams say of themselves. Of
  /// what several say, the first counts, and what streams say otherwise is said of them.
  private func tags(_ tracks: [OutputTrack]) -> MatroskaTags {
    let said = said.withLock { $0 }
    let known = tracks.map { said[$0.port] ?? SaidTags() }
    var all = MatroskaTags()
    for tags in known.map(\.file) + known.map(\.stream) where takesPictures {
      if all.file.pictures.isEmpty { all.file.pictures = tags.pictures.covers() }
    }
    for tags in known { all.file.texts.merge(tags.file.texts) { first, _ in first } }
    for (index, tags) in known.enumerated() {
      for (name, text) in tags.stream.texts where settings[name] == nil {
        // GStreamer's readers give the name of a track as a title.
        if name == "title", text == tracks[index].label?.name { continue }
        if name == "encoder" || all.file.texts[name, default: text] != text {
          all.tracks[index + 1, default: [:]][name] = text
        } else {
          all.file.texts[name] = text
        }
      }
    }
    all.file.texts.merge(settings) { $1 }
    return all
  }

  func writtenTracks() -> [Int: WrittenTrack]? {
    (try? MatroskaReader.read(place.path))?.writtenTracks
  }
}

/// What a stream has said of itself, and of its file: of what was said twice, what was said first.
private struct SaidTags: Sendable {
  private(set) var file = StreamTags([:])
  private(set) var stream = StreamTags([:])

  mutating func add(_ tags: StreamTags) {
    if tags.areOfFile { Self.merge(tags, into: &file) } else { Self.merge(tags, into: &stream) }
  }

  private static func merge(_ tags: StreamTags, into all: inout StreamTags) {
    let texts = tags.texts.filter { MatroskaTags.known.contains($0.key) }
    all.texts.merge(texts) { first, _ in first }
    if all.pictures.isEmpty { all.pictures = tags.pictures }
  }
}

extension PadFilter {
  /// Texts pass without what says how they look: files have them as they are shown.
  static let plainText = PadFilter.samples { sample in
    guard sample.format.capsText.contains("pango-markup") else { return }
    let text = sample.text
    let plain = SubtitleText.shown(text, isMarkup: true)
    if plain != text { sample.setText(plain) }
  }
}
