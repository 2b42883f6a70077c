/// An index for all that the fragments after it hold.
extension MovieIndex {
  /// The index of an ordinary movie: what this one says of its tracks, and the fragments' samples.
  func joined(with tables: [Int: SampleTable]) -> [UInt8] {
    let lengths = tracks.map { track in length(of: track, tables[track.identifier]) }
    var writer = BoxWriter()
    writer.box("moov") { writer in
      for box in data.boxes(of: movie) {
        switch box.type {
        case "mvhd": writer.header(box, of: data, duration: lengths.max() ?? 0)
        case "trak":
          guard let track = tracks.first(where: { $0.box == box }) else { continue }
          write(box, of: track, tables[track.identifier] ?? SampleTable(), to: &writer)
        // What makes it a movie in fragments, and tracks that are hidden.
        case "mvex", "free", "skip": continue
        default: writer.copy(box, of: data)
        }
      }
    }
    return writer.bytes
  }

  /// A track's length with the pause before it, in the movie's units.
  private func length(of track: MovieTrack, _ table: SampleTable?) -> Int {
    edits(of: track, table ?? SampleTable()).reduce(0) { $0 &+ $1.duration }
  }

  /// The edits that show a track's samples from the first on, when the recording says.
  private func edits(of track: MovieTrack, _ table: SampleTable) -> [MovieTrack.Edit] {
    var edits = track.edits
    if edits.isEmpty { edits = [.init(offset: 0, duration: 0, mediaTime: table.firstOffset)] }
    // The last frame that is decoded may end long before the last that is presented.
    let presented = table.presentationEnd - max(0, edits[edits.count - 1].mediaTime)
    edits[edits.count - 1].duration = scaled(
      max(0, presented), from: max(track.timescale, 1), to: timescale)
    return edits
  }

  private func write(
    _ box: MovieBox, of track: MovieTrack, _ table: SampleTable, to writer: inout BoxWriter
  ) {
    switch box.type {
    case "trak", "mdia", "minf":
      writer.box(box.type) { writer in
        for child in data.boxes(of: box) { write(child, of: track, table, to: &writer) }
      }
    case "stbl":
      writer.box(box.type) { writer in
        if let formats = data.first("stsd", in: box) { writer.copy(formats, of: data) }
        table.write(to: &writer, isVideo: track.kind == .encodedVideo)
      }
    case "tkhd":
      writer.header(box, of: data, duration: length(of: track, table))
      writer.edits(edits(of: track, table))
    case "mdhd": writer.header(box, of: data, duration: table.duration)
    case "edts": break
    default: writer.copy(box, of: data)
    }
  }
}
