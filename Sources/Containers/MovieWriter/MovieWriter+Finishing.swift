import Media

/// The end of a movie: its index, and what makes it the one that counts.
extension MovieWriter {
  /// How many bytes ``finish()`` adds at most.
  package var finishByteCount: Int {
    // The boxes of a track without its table take some hundreds of bytes, and less than 1 kB of
    // codecs' configurations. A chapter's title is in its track and in the list of all.
    let chapters = settings.chapters.reduce(marks.byteCount) { $0 + 64 + 2 * $1.title.utf8.count }
    return tracks.reduce(16_384 + chapters + settings.tags.byteCount) { $0 + $1.finishByteCount }
  }

  /// How many bytes a second of the movie takes, so far.
  package var bytesPerSecond: Int {
    let starts = tracks.compactMap { $0.isBegun ? $0.decode : nil }
    let ends = tracks.compactMap { $0.isBegun ? $0.reach : nil }
    guard let start = starts.min(), let last = ends.max() else { return 0 }
    let seconds = max(1, Double(last &- start) / 1e9)
    return Int(Double(end) / seconds)
  }

  /// Writes what is left and completes the file. No sample may follow.
  package mutating func finish() throws {
    for index in tracks.indices { tracks[index].end() }
    try writeWhatIsDue()
    // Without any sample nothing is written, so that what is there stays.
    while tracks.contains(where: \.hasPending) { try writeFragment() }
    if settings.segmentDuration != nil { segments.finish(at: end) }
    guard let bodyStart, !settings.isStream else { return }
    let index = try finalIndex()
    if indexRoom > 0, try write(index.bytes, inFrontAt: bodyStart) { return }
    try writeWhole(index, at: end)
    // Without the index and all samples on the disk, the movie may not become one that needs them.
    try file.flush()
    let header = BoxWriter.sampleHeader(of: end - bodyStart)
    try file.write(header.span, at: bodyStart)
    try file.flush()
  }

  /// Writes an index so that it is there as a whole or not at all, without having all of it in memory.
  private func writeWhole(_ index: MovieHeader, at offset: Int) throws {
    var head = [UInt8](repeating: 0, count: 8)
    var writer = BoxWriter { bytes, start in
      let inside = max(0, min(8 - start, bytes.count))
      for place in 0..<inside { head[start + place] = bytes[place] }
      guard inside < bytes.count else { return }
      try file.write(bytes.extracting(droppingFirst: inside), at: offset + start + inside)
    }
    index.write(to: &writer)
    try writer.finish()
    try file.write(head.span, at: offset)
  }

  /// The index of all samples, once no more come; the titles of chapters are written.
  mutating func finalIndex() throws -> MovieHeader {
    var (written, timeline) = finishedTracks()
    if !written.isEmpty { start = timeline.session }
    receipt = MovieReceipt(
      tracks: written.map { MovieReceipt.Track($0, last: tracks[$0.identifier - 1].lastWritten) })
    mergeMarks(intoMovieWith: written, from: timeline.session)
    if let chapters = try chapterTrack(as: tracks.count + 1, ofMovieWith: written) {
      written.append(chapters.track)
      receipt.tracks.append(MovieReceipt.Track(chapters.track, last: chapters.last))
    }
    return header(written, isFragmented: false)
  }

  private mutating func finishedTracks() -> ([MovieHeader.Track], MovieTimeline) {
    var written: [MovieHeader.Track] = []
    var known: [MovieTimeline.Track] = []
    for index in tracks.indices {
      var table = tracks[index].finishTable()
      guard let format = tracks[index].format,
        let timeline = tracks[index].timeline(end: table.presentationEnd)
      else { continue }
      known.append(timeline)
      if format.isVideo, let end = timeline.end { table.stretch(toPresent: end) }
      written.append(
        MovieHeader.Track(
          identifier: tracks[index].identifier, format: format,
          laterFormats: tracks[index].laterFormats,
          rotation: tracks[index].options.rotation, alternative: settings.alternatives[index],
          label: tracks[index].options.label, edits: [], table: table,
          firstBytes: tracks[index].firstBytes))
    }
    let timeline = MovieTimeline(known, timescale: timescale, start: settings.start)
    for (index, track) in known.enumerated() {
      written[index].edits = timeline.edits(of: track)
      if written[index].format.isText { written[index].beginWithMovie() }
    }
    return (written, timeline)
  }
}

extension MovieHeader.Track {
  /// Shows the first text from the movie's beginning on, and no earlier: ffmpeg (5.1) passes over a list of
  /// edits that begins within a text, and would have all of them too early.
  fileprivate mutating func beginWithMovie() {
    guard let part = edits.indices.last, edits[part].mediaTime > 0,
      table.shortenFirst(by: edits[part].mediaTime)
    else { return }
    edits[part].mediaTime = 0
  }
}
