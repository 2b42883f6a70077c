import Media

/// The `moov` box: what the finisher changes and the reader reports.
struct MovieIndex: Sendable {
  var data: MovieBytes
  let movie: MovieBox
  let header: MovieBox
  let tracks: [MovieTrack]

  /// Reads a whole `moov` box; `nil` where it isn't one.
  package init?(_ data: MovieBytes) {
    guard let movie = data.box(at: 0, limit: data.count), movie.type == "moov",
      let header = data.first("mvhd", in: movie)
    else { return nil }
    self.data = data
    self.movie = movie
    self.header = header
    tracks = data.boxes(of: movie).filter { $0.type == "trak" }
      .compactMap { MovieTrack(data, box: $0) }
  }

  /// What holds for the samples of fragments that don't say it themselves (8.8.3), by tracks.
  var fragmentDefaults: [Int: MovieFragment.Sample] {
    guard let parent = data.first("mvex", in: movie) else { return [:] }
    var defaults: [Int: MovieFragment.Sample] = [:]
    for box in data.boxes(of: parent) where box.type == "trex" {
      guard let track = data.u32(box.content + 4) else { continue }
      defaults[track] = MovieFragment.Sample(
        duration: data.u32(box.content + 12) ?? 0, size: data.u32(box.content + 16) ?? 0,
        flags: data.u32(box.content + 20) ?? 0)
    }
    return defaults
  }

  /// Which description the samples of fragments have that don't say it themselves, by tracks.
  var fragmentDescriptions: [Int: Int] {
    guard let parent = data.first("mvex", in: movie) else { return [:] }
    var descriptions: [Int: Int] = [:]
    for box in data.boxes(of: parent) where box.type == "trex" {
      guard let track = data.u32(box.content + 4), let number = data.u32(box.content + 8),
        number > 0
      else { continue }
      descriptions[track] = number
    }
    return descriptions
  }

  /// How many descriptions of samples there are, at least one, by tracks.
  var descriptionCounts: [Int: Int] {
    var counts: [Int: Int] = [:]
    for track in tracks {
      let count = data.first("stsd", in: track.table).flatMap { data.u32($0.content + 4) }
      counts[track.identifier] = max(1, count ?? 1)
    }
    return counts
  }

  /// Units a second of edits, and of the movie's and the tracks' headers.
  var timescale: Int { data.u32(header.content + (data.version(header) == 1 ? 20 : 12)) ?? 0 }
}

/// A `trak` box.
struct MovieTrack: Sendable {
  /// An entry of the edit list.
  struct Edit: Sendable {
    /// The offset of the entry.
    var offset: Int
    /// In the movie's units.
    var duration: Int
    /// In the track's units; -1 for nothing at all.
    var mediaTime: Int
  }

  let box: MovieBox
  /// The boxes that hold the table of samples, the media header and the track's header.
  let table: MovieBox
  let mediaHeader: MovieBox
  let header: MovieBox
  let identifier: Int
  let kind: MediaKind
  /// The four letters of its first sample description; empty where it has none.
  let codec: String
  let timescale: Int
  /// In the track's units.
  let duration: Int
  let sampleCount: Int
  let edits: [Edit]
  /// How long after its decoding the first sample is presented, in the track's units.
  let firstOffset: Int

  package init?(_ data: MovieBytes, box: MovieBox) {
    guard let header = data.first("tkhd", in: box),
      let mediaHeader = data.first("mdia", "mdhd", in: box),
      let table = data.first("mdia", "minf", "stbl", in: box)
    else { return nil }
    (self.box, self.header, self.mediaHeader, self.table) = (box, header, mediaHeader, table)
    identifier = data.u32(header.content + (data.version(header) == 1 ? 20 : 12)) ?? 0
    let isLong = data.version(mediaHeader) == 1
    timescale = data.u32(mediaHeader.content + (isLong ? 20 : 12)) ?? 0
    duration =
      data.integer(at: mediaHeader.content + (isLong ? 24 : 16), bytes: isLong ? 8 : 4) ?? 0
    kind = Self.kind(data, box)
    let format = data.first("stsd", in: table).flatMap { formats in
      data.u32(formats.content + 4) ?? 0 > 0 ? data.type(at: formats.content + 12) : nil
    }
    codec = format ?? ""
    sampleCount = data.first("stsz", in: table).flatMap { data.u32($0.content + 8) } ?? 0
    edits = Self.edits(data, box)
    let offsets = data.first("ctts", in: table)
    let hasOffset = offsets.flatMap { data.u32($0.content + 4) } ?? 0 > 0
    firstOffset = hasOffset ? offsets.flatMap { data.s32($0.content + 12) } ?? 0 : 0
  }

  private static func kind(_ data: MovieBytes, _ box: MovieBox) -> MediaKind {
    let handler = data.first("mdia", "hdlr", in: box).flatMap { data.type(at: $0.content + 8) }
    return switch handler {
    case "vide": .encodedVideo
    case "soun": .encodedAudio
    case "text", "sbtl", "subt": .text
    default: .any
    }
  }

  private static func edits(_ data: MovieBytes, _ box: MovieBox) -> [Edit] {
    guard let list = data.first("edts", "elst", in: box), let count = data.u32(list.content + 4)
    else { return [] }
    let isLong = data.version(list) == 1
    let size = isLong ? 20 : 12
    var edits: [Edit] = []
    for index in 0..<min(count, max(0, list.end - list.content - 8) / size) {
      let offset = list.content + 8 + index * size
      if isLong {
        guard let duration = data.u64(offset) else { break }
        // -1 doesn't fit the unsigned reading, and nothing else of 64 bits fails to.
        edits.append(
          Edit(offset: offset, duration: duration, mediaTime: data.u64(offset + 8) ?? -1))
      } else {
        guard let duration = data.u32(offset), let time = data.s32(offset + 4) else { break }
        edits.append(Edit(offset: offset, duration: duration, mediaTime: time))
      }
    }
    return edits
  }
}
