import Media

/// What a Matroska file says of itself, and of its tracks what holds for those alone.
package struct MatroskaTags: Hashable, Sendable {
  /// Texts by GStreamer's names, and pictures, which WebM files have none of.
  package var file = MovieTags()
  /// Texts by the numbers of tracks.
  package var tracks: [Int: [String: String]] = [:]

  package init() {}

  package var isEmpty: Bool { file.texts.isEmpty && file.covers.isEmpty && tracks.isEmpty }

  /// GStreamer's names and those of Matroska, as readers take them (RFC 9559 leaves names to a registry of
  /// the format's makers; ffmpeg and mkvmerge use these for files without levels of their own).
  static let names = [
    ("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("album-artist", "ALBUM_ARTIST"),
    ("composer", "COMPOSER"), ("genre", "GENRE"), ("datetime", "DATE"),
    ("track-number", "PART_NUMBER"), ("track-count", "TOTAL_PARTS"),
    ("album-disc-number", "DISC"), ("comment", "COMMENT"), ("description", "DESCRIPTION"),
    ("grouping", "GROUPING"), ("lyrics", "LYRICS"), ("copyright", "COPYRIGHT"),
    ("performer", "LEAD_PERFORMER"), ("conductor", "CONDUCTOR"), ("publisher", "PUBLISHER"),
    ("isrc", "ISRC"), ("beats-per-minute", "BPM"), ("keywords", "KEYWORDS"),
    ("location", "RECORDING_LOCATION"), ("application-name", "ENCODED_BY"), ("encoder", "ENCODER"),
  ]

  /// GStreamer's names of what can be said.
  package static let known = Set(names.map(\.0) + ["album-disc-count"])

  /// A `Tags` element with these and some more `Tag` elements; tracks are named by their `TrackUID`.
  func element(uids: [Int: Int], more: [[UInt8]]) -> [UInt8] {
    var parts: [[UInt8]] = []
    if !file.texts.isEmpty { parts.append(Self.tag(file.texts, targets: [])) }
    for (number, texts) in tracks.sorted(by: { $0.key < $1.key }) where !texts.isEmpty {
      guard let uid = uids[number] else { continue }
      let target = EBML.element(0x63c5, EBML.bytes(of: uid, count: 8))
      parts.append(Self.tag(texts, targets: target))
    }
    parts += more
    return parts.isEmpty ? [] : EBML.element(0x1254_c367, Array(parts.joined()))
  }

  /// `Tag` with `Targets` and a `SimpleTag` for each text, with `TagName` and `TagString`.
  private static func tag(_ texts: [String: String], targets: [UInt8]) -> [UInt8] {
    var texts = texts
    // There is no name for the count: as ffmpeg has it.
    if let disc = texts["album-disc-number"], let count = texts["album-disc-count"] {
      texts["album-disc-number"] = "\(disc)/\(count)"
    }
    let simple = names.compactMap { name, key in
      texts[name].map { text in
        EBML.element(
          0x67c8,
          EBML.element(0x45a3, Array(key.utf8)) + EBML.element(0x4487, Array(text.utf8)))
      }
    }
    return EBML.element(0x7373, EBML.element(0x63c0, targets) + simple.joined())
  }

  /// An `Attachments` element with the pictures: `FileName`, `FileMimeType`, `FileData` and `FileUID` of
  /// each. Readers know a cover by its name (RFC 9559, 18.6).
  var attachments: [UInt8] {
    let covers = file.covers
    guard !covers.isEmpty else { return [] }
    let files = covers.enumerated().map { index, picture in
      let ending = picture.mediaType == "image/png" ? "png" : "jpg"
      let name = index == 0 ? "cover" : "picture\(index + 1)"
      return EBML.element(
        0x61a7,
        EBML.element(0x466e, Array("\(name).\(ending)".utf8))
          + EBML.element(0x4660, Array(picture.mediaType.utf8))
          + EBML.element(0x465c, picture.bytes)
          + EBML.element(0x46ae, EBML.bytes(of: index + 1, count: 8)))
    }
    return EBML.element(0x1941_a469, Array(files.joined()))
  }
}
