import Media

/// Writes the `moov` box of a movie, with the samples or, before fragments, without.
struct MovieHeader {
  /// A track as it is written.
  struct Track {
    var identifier: Int
    var format: MovieTrackFormat
    /// What its samples are besides, where that changes on the way.
    var laterFormats: [MovieTrackFormat] = []
    var rotation = Rotation.none
    /// That it is one of several tracks of which players present one, where that was asked for.
    var alternative: AlternateTrack?
    /// What its source's file says of it; `nil` where that isn't known.
    var label: TrackLabel?
    var edits: [MovieTrack.Edit]
    /// The samples; none where they come in fragments.
    var table = SampleTable()
    /// The first bytes of its first sample.
    var firstBytes: [UInt8] = []
    /// Whether its samples are the titles of the others' chapters.
    var isChapters = false
  }

  var tracks: [Track]
  var timescale: Int
  /// Whether fragments follow.
  var isFragmented: Bool
  var isQuickTime: Bool
  /// In seconds since 1904.
  var creationTime: Int
  var tags: MovieTags
  var chapters: [MovieChapter] = []
  /// Bytes that are kept for what it may have to say later: none, or eight and more.
  var room = 0

  /// A time in seconds since 1970 as movies count it, from 1904; 0 says nothing.
  static func time(_ secondsSince1970: Int?) -> Int {
    secondsSince1970.map { max(0, $0 &+ 2_082_844_800) } ?? 0
  }

  /// The box.
  var bytes: [UInt8] {
    var writer = BoxWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Writes the box.
  func write(to writer: inout BoxWriter) {
    writer.box("moov") { writer in
      writeHeader(to: &writer)
      for track in tracks { write(track, to: &writer) }
      if isFragmented { writeFragmentDefaults(to: &writer) }
      tags.write(to: &writer, isQuickTime: isQuickTime, chapters: chapters)
      if room > 0 { writer.box("free") { $0.writeZeros(room - 8) } }
    }
  }

  private static let unityMatrix = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]

  private func length(of track: Track) -> Int {
    isFragmented ? 0 : track.edits.reduce(0) { $0 &+ $1.duration }
  }

  /// Writes the beginning of a header (8.2.2, 8.3.2, 8.4.2): the dates, then what comes between
  /// them and the duration, then that.
  private func writeTimes(
    _ type: String, flags: Int = 0, between: [Int], duration: Int, to writer: inout BoxWriter,
    _ rest: (inout BoxWriter) -> Void
  ) {
    let isLong = duration > Int(UInt32.max) - 1 || creationTime > Int(UInt32.max)
    let width = isLong ? 8 : 4
    writer.fullBox(type, version: isLong ? 1 : 0, flags: flags) { writer in
      for _ in 0..<2 { writer.write(creationTime, bytes: width) }
      for value in between { writer.write(value, bytes: 4) }
      writer.write(duration, bytes: width)
      rest(&writer)
    }
  }

  private func writeHeader(to writer: inout BoxWriter) {
    let duration = tracks.map(length).max() ?? 0
    writeTimes("mvhd", between: [timescale], duration: duration, to: &writer) { writer in
      // The usual rate and volume.
      writer.write(0x1_0000, bytes: 4)
      writer.write(0x100, bytes: 2)
      writer.writeZeros(10)
      for value in Self.unityMatrix { writer.write(value, bytes: 4) }
      writer.writeZeros(24)
      writer.write((tracks.map(\.identifier).max() ?? 0) + 1, bytes: 4)
    }
  }

  /// Writes a track's box.
  func write(_ track: Track, to writer: inout BoxWriter) {
    writer.box("trak") { writer in
      writeTrackHeader(track, to: &writer)
      if !track.edits.isEmpty { writer.edits(track.edits) }
      if !track.format.isText, let chapters = tracks.first(where: \.isChapters) {
        writer.box("tref") { writer in
          writer.box("chap") { $0.write(chapters.identifier, bytes: 4) }
        }
      }
      writer.box("mdia") { writer in
        writeMediaHeader(track, to: &writer)
        let (type, name) = track.handler
        writeHandler(isQuickTime ? "mhlr" : "", type, name, to: &writer)
        writer.box("minf") { writeMedia(track, to: &$0) }
      }
      if let label = track.label { write(label, to: &writer) }
    }
  }

  /// What a track is called, and that its subtitles are forced.
  private func write(_ label: TrackLabel, to writer: inout BoxWriter) {
    guard label.name != nil || label.isForced else { return }
    writer.box("udta") { writer in
      if let name = label.name { writer.box("name") { $0.write(name) } }
      if label.isForced { writer.fullBox("kind") { $0.write(TrackLabel.forcedKind) } }
    }
  }

  /// How long a track's samples are, and in which language.
  private func writeMediaHeader(_ track: Track, to writer: inout BoxWriter) {
    writeTimes(
      "mdhd", between: [track.format.timescale], duration: track.table.duration, to: &writer
    ) { writer in
      writer.write(Self.language(track.format.language), bytes: 2)
      writer.write(0, bytes: 2)
    }
    guard let tag = track.format.languageTag else { return }
    writer.fullBox("elng") { writer in
      writer.write(tag)
      writer.write(0, bytes: 1)
    }
  }

  private func writeTrackHeader(_ track: Track, to writer: inout BoxWriter) {
    let format = track.format
    // It is a part of the movie and of its preview, and is enabled or for users to choose.
    writeTimes(
      "tkhd", flags: isEnabled(track) ? 7 : 6, between: [track.identifier, 0],
      duration: length(of: track), to: &writer
    ) { writer in
      writer.writeZeros(8)
      writer.write(0, bytes: 2)
      writer.write(alternateGroup(of: track), bytes: 2)
      writer.write(format.isAudio ? 0x100 : 0, bytes: 2)
      writer.write(0, bytes: 2)
      let shape = format.pixelAspectRatio?.value ?? 1
      let width = Int((Double(format.width) * shape * 65_536).rounded())
      let (shown, height) = (min(width, 0xffff_0000), format.height << 16)
      let matrix = format.isVideo ? track.rotation.matrix(width: shown, height: height) : nil
      for value in matrix ?? Self.unityMatrix { writer.write(value, bytes: 4) }
      writer.write(shown, bytes: 4)
      writer.write(height, bytes: 4)
    }
  }

  private func writeHandler(
    _ component: String, _ type: String, _ name: String, to writer: inout BoxWriter
  ) {
    writer.fullBox("hdlr") { writer in
      if component.isEmpty { writer.writeZeros(4) } else { writer.write(component) }
      writer.write(type)
      writer.writeZeros(12)
      // QuickTime counts the letters, and others end with a zero.
      if isQuickTime { writer.write(name.utf8.count, bytes: 1) }
      writer.write(name)
      if !isQuickTime { writer.write(0, bytes: 1) }
    }
  }

  private func writeMedia(_ track: Track, to writer: inout BoxWriter) {
    if track.format.isVideo {
      writer.fullBox("vmhd", flags: 1) { $0.writeZeros(8) }
    } else if track.format.isAudio {
      writer.fullBox("smhd") { $0.writeZeros(4) }
    } else {
      writeTextHeader(track, to: &writer)
    }
    if isQuickTime { writeHandler("dhlr", "url ", "DataHandler", to: &writer) }
    writer.box("dinf") { writer in
      writer.fullBox("dref") { writer in
        writer.write(1, bytes: 4)
        // The samples are in this file.
        writer.fullBox("url ", flags: 1) { _ in }
      }
    }
    writer.box("stbl") { writer in
      let entries = ([track.format] + track.laterFormats).map { format in
        SampleEntry(
          format: format, isQuickTime: isQuickTime, isChapters: track.isChapters,
          firstBytes: track.firstBytes, isForced: track.label?.isForced ?? false)
      }
      SampleEntry.write(entries, to: &writer)
      track.table.write(to: &writer, isVideo: track.format.isVideo)
      if !isFragmented { writeRollGroup(track, to: &writer) }
    }
  }

  /// Says that decoding of AAC has to begin a packet earlier than what is presented (ISO/IEC
  /// 14496-12, 10.1), and of Opus 80 ms earlier.
  private func writeRollGroup(_ track: Track, to writer: inout BoxWriter) {
    let distance: Int
    switch track.format.codec {
    case .aac: distance = -1
    case .opus: distance = -4
    default: return
    }
    guard track.table.sampleCount > 0 else { return }
    writer.fullBox("sgpd", version: 1) { writer in
      writer.write("roll")
      writer.write(2, bytes: 4)
      writer.write(1, bytes: 4)
      writer.write(distance, bytes: 2)
    }
    writer.fullBox("sbgp") { writer in
      writer.write("roll")
      writer.write(1, bytes: 4)
      writer.write(track.table.sampleCount, bytes: 4)
      writer.write(1, bytes: 4)
    }
  }

  private func writeFragmentDefaults(to writer: inout BoxWriter) {
    writer.box("mvex") { writer in
      for track in tracks {
        writer.fullBox("trex") { writer in
          writer.write(track.identifier, bytes: 4)
          writer.write(1, bytes: 4)
          writer.writeZeros(12)
        }
      }
    }
  }

  /// Three letters of five bits each; `und` where the language isn't known.
  private static func language(_ code: String?) -> Int {
    let letters = Array((code ?? "und").utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7a).contains($0) }) else {
      return language("und")
    }
    return letters.reduce(0) { $0 << 5 | (Int($1) - 0x60) }
  }
}

// MARK: Kinds of tracks

extension MovieHeader.Track {
  /// The four letters of the kind of media, and what its handler is called.
  fileprivate var handler: (type: String, name: String) {
    if isChapters { return ("text", "ChapterHandler") }
    if format.isText { return ("sbtl", "SubtitleHandler") }
    return format.isVideo ? ("vide", "VideoHandler") : ("soun", "SoundHandler")
  }
}

extension MovieHeader {
  /// The tracks of which a player presents one: audio in several languages, or of which its file says
  /// that some aren't presented, and subtitles.
  private func alternatives(of track: Track) -> [Track] {
    guard !track.isChapters, !track.format.isVideo, track.alternative == nil else { return [] }
    let others = tracks.filter { !$0.isChapters && $0.format.isText == track.format.isText }
      .filter { !$0.format.isVideo && $0.alternative == nil }
    let languages = Set(others.map { $0.format.languageTag ?? $0.format.language })
    let areAlternatives =
      track.format.isText || languages.count == others.count && !languages.contains(nil)
      || others.contains { $0.label?.isDefault == false }
    return others.count > 1 && areAlternatives ? others : []
  }

  /// The number of a group of which a player presents one (8.3.2); 0 for none.
  private func alternateGroup(of track: Track) -> Int {
    if let alternative = track.alternative { return Self.firstGroup + alternative.group }
    return alternatives(of: track).isEmpty ? 0 : track.format.isText ? 2 : 1
  }

  /// The number of the first group that was asked for, after those of languages.
  private static let firstGroup = 3

  private func isEnabled(_ track: Track) -> Bool {
    if let alternative = track.alternative { return alternative.isDefault }
    guard !track.isChapters else { return false }
    let others = alternatives(of: track)
    // Subtitles may all be for users to choose.
    guard !others.isEmpty else { return !track.format.isText || track.label?.isDefault ?? true }
    let first = others.first { $0.label?.isDefault ?? true }
    return track.identifier == (first ?? (track.format.isText ? nil : others[0]))?.identifier
  }

  /// The header of the media of text: of MP4 an empty one, of QuickTime a general one (QuickTime File
  /// Format, "Base Media Information Atoms"), which chapters have in MP4, too.
  private func writeTextHeader(_ track: Track, to writer: inout BoxWriter) {
    guard isQuickTime || track.isChapters else { return writer.fullBox("nmhd") { _ in } }
    writer.box("gmhd") { writer in
      writer.fullBox("gmin") { writer in
        writer.write(0x40, bytes: 2)
        for _ in 0..<3 { writer.write(0x8000, bytes: 2) }
        writer.writeZeros(4)
      }
      writer.box("text") { writer in
        for value in Self.unityMatrix { writer.write(value, bytes: 4) }
      }
    }
  }
}
