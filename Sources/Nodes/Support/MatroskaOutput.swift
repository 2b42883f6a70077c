import Containers
import GraphKit

/// A Matroska file that elements write.
struct MatroskaOutput: FileOutput {
  let place: OutputFile
  var file: OutputFile? { place }

  /// Whether it says when it was made.
  private let isDated: Bool

  init(file: OutputFile, isDated: Bool) { (place, self.isDated) = (file, isDated) }

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
      labels: Dictionary(labels, uniquingKeysWith: { first, _ in first }), isDated: isDated)
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
