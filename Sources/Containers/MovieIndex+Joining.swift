/// An index for all that the fragments after it hold.
extension MovieIndex {
  /// The index of an ordinary movie: what this one says of its tracks, and the fragments' samples.
  func joined(with tables: [Int: SampleTable]) -> [UInt8] {
    let start = start(of: tables)
    let lengths = tracks.map { track in length(of: track, tables[track.identifier], from: start) }
    var writer = BoxWriter()
    writer.box("moov") { writer in
      for box in data.boxes(of: movie) {
        switch box.type {
        case "mvhd": writer.header(box, of: data, duration: lengths.max() ?? 0)
        case "trak":
          guard let track = tracks.first(where: { $0.box == box }) else { continue }
          let table = tables[track.identifier] ?? SampleTable()
          write(box, of: track, table, from: start, to: &writer)
        // What makes it a movie in fragments, and tracks that are hidden.
        case "mvex", "free", "skip": continue
        default: writer.copy(box, of: data)
        }
      }
    }
    return writer.bytes
  }

  /// How long after its edits would have it a track's first sample is presented, in the track's units:
  /// edits count from the beginning of the fragments' times, where the track may not be yet.
  private func delay(of track: MovieTrack, _ table: SampleTable) -> Int {
    let begin = max(0, track.edits.last?.mediaTime ?? 0)
    return max(0, table.start &+ (table.presentationStart ?? 0) &- begin)
  }

  /// The least delay of all tracks, in the movie's units: the movie begins then.
  func start(of tables: [Int: SampleTable]) -> Int {
    tracks.compactMap { track in
      guard let table = tables[track.identifier], table.sampleCount > 0 else { return nil }
      return scaled(delay(of: track, table), from: max(track.timescale, 1), to: timescale)
    }.min() ?? 0
  }

  /// A track's length with the pause before it, in the movie's units.
  private func length(of track: MovieTrack, _ table: SampleTable?, from start: Int) -> Int {
    edits(of: track, table ?? SampleTable(), from: start).reduce(0) { $0 &+ $1.duration }
  }

  /// The edits that show a track's samples from the first on, when the recording says: times of a table
  /// of samples count from the first.
  private func edits(
    of track: MovieTrack, _ table: SampleTable, from start: Int
  ) -> [MovieTrack.Edit] {
    let units = max(track.timescale, 1)
    let delay = delay(of: track, table)
    let skipped = max(0, track.edits.last?.mediaTime ?? 0) &- table.start
    let first = delay > 0 ? max(0, table.presentationStart ?? 0) : max(0, skipped)
    // The last frame that is decoded may end long before the last that is presented.
    let presented = scaled(max(0, table.presentationEnd &- first), from: units, to: timescale)
    let pauses = track.edits.dropLast().prefix { $0.mediaTime < 0 }
    let before = pauses.reduce(0) { $0 &+ $1.duration }
    let pause = before &+ max(0, scaled(delay, from: units, to: timescale) &- start)
    let part = MovieTrack.Edit(offset: 0, duration: presented, mediaTime: first)
    return pause > 0 ? [.init(offset: 0, duration: pause, mediaTime: -1), part] : [part]
  }

  private func write(
    _ box: MovieBox, of track: MovieTrack, _ table: SampleTable, from start: Int,
    to writer: inout BoxWriter
  ) {
    switch box.type {
    case "trak", "mdia", "minf":
      writer.box(box.type) { writer in
        for child in data.boxes(of: box) {
          write(child, of: track, table, from: start, to: &writer)
        }
      }
    case "stbl":
      writer.box(box.type) { writer in
        if let formats = data.first("stsd", in: box) { writer.copy(formats, of: data) }
        table.write(to: &writer, isVideo: track.kind == .encodedVideo)
      }
    case "tkhd":
      writer.header(box, of: data, duration: length(of: track, table, from: start))
      writer.edits(edits(of: track, table, from: start))
    case "mdhd": writer.header(box, of: data, duration: table.duration)
    case "edts": break
    default: writer.copy(box, of: data)
    }
  }
}
