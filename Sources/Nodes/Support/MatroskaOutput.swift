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
  private let said = Monitor<[String: [StreamTags]]>([:])

  init(file: OutputFile) { place = file }

  /// Notes what the stream at a port says.
  func notingTags(at port: String) -> PadFilter {
    .tags { [said] tags in said.withLock { $0[port, default: []].append(tags) } }
  }

  /// Players of such files skip nothing but what Opus has in front, which its packets say.
  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "Matroska file")
    (rules.skipLeads, rules.leadCodecs) = (false, [.opus])
    return rules
  }

  func padFilters(for format: FormatConstraint) -> [PadFilter] {
    switch format.codecs {
    case [.opus]: [.timedOpusPackets, .clippedOpusEnd]
    case [.flac]: [.flacFrames]
    case [.vorbis]: [.timedVorbisPackets]
    default: []
    }
  }

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

  /// What the file says: what was asked for; of what several streams say, the first counts, and what
  /// others say otherwise is said of them.
  private func tags(_ tracks: [OutputTrack]) -> MatroskaTags {
    var all = MatroskaTags()
    all.file.texts = settings
    let said = said.withLock { $0 }
    for (index, track) in tracks.enumerated() {
      for tags in said[track.port] ?? [] {
        if takesPictures, all.file.pictures.isEmpty { all.file.pictures = tags.pictures.covers() }
        for (name, text) in tags.texts where MatroskaTags.known.contains(name) {
          // GStreamer's readers give the name of a track as a title.
          let isName = name == "title" && text == track.label?.name && !tags.areOfFile
          if isName || all.file.texts[name] == text { continue }
          if name != "encoder", all.file.texts[name] == nil {
            all.file.texts[name] = text
          } else if !tags.areOfFile {
            all.tracks[index + 1, default: [:]][name] = text
          }
        }
      }
    }
    return all
  }

  func writtenTracks() -> [Int: WrittenTrack]? {
    (try? MatroskaReader.read(place.path))?.writtenTracks
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
