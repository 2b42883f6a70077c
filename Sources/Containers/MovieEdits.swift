import Media

/// What the index of a movie says of its tracks, by track identifier: their edit lists first.
///
/// Only lists of one part are read, with or without a pause before it, and of frames only those
/// that begin between two key frames or end before the last frame; GStreamer's demuxer does with the others what it can.
package struct MovieEdits {
  package private(set) var edits: [Int: StreamEdit] = [:]
  /// When audio ends, in its own time, by track identifier; without those in fragments.
  package private(set) var ends: [Int: MediaTime] = [:]
  /// When tracks that are all in fragments end, in the movie's time, by track identifier.
  package private(set) var fragmentEnds: [Int: MediaTime] = [:]
  /// When tracks are presented, in the movie's time, by track identifier.
  package private(set) var presentations: [Int: MediaTimeRange] = [:]
  /// The tracks in which GStreamer's demuxer finds a time exactly: those all of which is in the index,
  /// presented in one part. Of fragments it knows the times only when it has come to them.
  package private(set) var soughtTracks: Set<Int> = []
  /// The frames that are presented last, where they aren't presented as long as their packets say, by track
  /// identifier: in the times that the demuxer gives.
  package private(set) var lastFrames: [Int: LastFrame<MediaTime>] = [:]
  /// By how much frames are to be turned, by track identifier.
  package private(set) var rotations: [Int: Rotation] = [:]
  /// The languages of tracks, as they are in the file.
  package private(set) var languages: [Int: String] = [:]
  /// How texts are stored, by track identifier.
  package private(set) var textFormats: [Int: TextFormat] = [:]
  /// What is said of tracks for those who choose among several, by track identifier.
  package private(set) var labels: [Int: TrackLabel] = [:]

  /// What the PCM of tracks is that GStreamer's demuxer takes for something else, by track identifier.
  package private(set) var pcmFormats: [Int: MediaFormat] = [:]
  /// The position of the PCM, where the file holds nothing else and it can be read as it is.
  package private(set) var pcm: PCMLocation?

  /// The parts of the movie that have titles.
  package private(set) var chapters: [MovieChapter] = []
  /// Where it was recorded (ISO 6709), where it says.
  package private(set) var location: String?

  /// How the file is to be read, where its demuxer would leave out samples; `nil` where that is as it
  /// is.
  package private(set) var reading: StreamEdit?

  /// Reads the index of a movie; `nil` where the file isn't one.
  package init?(_ path: String) {
    guard let movie = try? MovieFile(path, for: .reading), let box = movie.indexBox,
      let first = try? movie.index(), first.timescale > 0
    else { return nil }
    let joined = movie.joinedIndex(first)
    let (index, place) = (joined?.index ?? first, joined?.place ?? box.start)
    reading = joined?.reading
    let fragments = movie.fragments(ofAllIn: first)
    fragmentEnds = first.ends(of: fragments)
    // Worked out once: a file may have very many tracks.
    let length = index.longestDuration
    let patches = [index.equalSizePatches, index.pcmPatches]
      .reduce(index.shortTrackPatches(in: length)) { $0.merging($1) { first, _ in first } }
    pcmFormats = index.pcmFormats
    for (offset, bytes) in patches {
      reading = reading ?? StreamEdit(patches: [:])
      reading?.patches[place + offset] = bytes
    }
    let isWhole = joined == nil && index.data.first("mvex", in: index.movie) == nil
    for track in index.tracks where isWhole && track.sampleCount > 0 {
      let parts = track.edits.filter { $0.mediaTime >= 0 }
      if parts.count <= 1 { soughtTracks.insert(track.identifier) }
    }
    for track in index.tracks where track.kind == .encodedVideo {
      rotations[track.identifier] = index.data.rotation(of: track)
      lastFrames[track.identifier] = index.lastPacket(of: track)
      edits[track.identifier] =
        Self.fragmentEdit(of: track, in: index, at: place)
        ?? Self.pictureEdit(of: track, in: index, at: place, length)
        ?? Self.wholeEdit(of: track, in: index, at: place, length)
    }
    for track in index.tracks where track.kind == .encodedAudio && track.timescale > 0 {
      edits[track.identifier] = Self.edit(of: track, in: index, at: place, length)
      ends[track.identifier] = index.end(of: track)
    }
    for track in index.tracks {
      languages[track.identifier] = index.language(of: track)
      labels[track.identifier] = index.label(of: track)
      textFormats[track.identifier] = TextFormat(movie: track.codec)
      // What is in fragments beside the index isn't known here.
      guard joined != nil || movie.fragmentStart == nil || fragments[track.identifier] != nil else {
        continue
      }
      presentations[track.identifier] = index.presentation(
        of: track, joined == nil ? fragments[track.identifier] : nil)
    }
    pcm = joined == nil ? MoviePCM.locate(in: index, of: movie) : nil
    (chapters, location) = (index.chapters(of: movie), index.location)
  }

  private static func edit(
    of track: MovieTrack, in index: MovieIndex, at offset: Int, _ length: MovieLength
  ) -> StreamEdit? {
    guard var edit = part(of: track, in: index) else { return nil }
    // The movie's units are as fine as the track's: its list ends at a sample.
    edit.cutsLastPacket = edit.end != nil && index.timescale % track.timescale == 0
    if let priming = index.priming(of: track), let scale = Int32(exactly: track.timescale) {
      edit.present(after: priming, scale)
    }
    if let list = index.data.first("edts", in: track.box) {
      edit.patches[offset + list.start + 4] = Array("free".utf8)
    }
    edit.readToEnd(of: track, in: index, at: offset, length)
    return edit
  }

  /// What is presented of video that is all in fragments: their own times, as they are of the audio. The
  /// demuxer would have the first of them begin the file.
  private static func fragmentEdit(
    of track: MovieTrack, in index: MovieIndex, at offset: Int
  ) -> StreamEdit? {
    guard track.timescale > 0, track.sampleCount == 0,
      index.data.first("mvex", in: index.movie) != nil, var edit = part(of: track, in: index)
    else { return nil }
    edit.keyFrame = edit.start
    if let list = index.data.first("edts", in: track.box) {
      edit.patches[offset + list.start + 4] = Array("free".utf8)
    }
    return edit
  }

  /// What is to be said to the demuxer of video without an edit list; `nil` where that is nothing.
  ///
  /// It takes the first frame's time for the beginning of the file, and so would have the other tracks
  /// late; and it stops where a header claims that the samples end, though they go on.
  private static func wholeEdit(
    of track: MovieTrack, in index: MovieIndex, at offset: Int, _ length: MovieLength
  ) -> StreamEdit? {
    guard track.timescale > 0, track.edits.isEmpty else { return nil }
    let (isUnderstated, beginsLate) = (index.isUnderstated(track), track.firstOffset > 0)
    guard isUnderstated || beginsLate else { return nil }
    var edit = StreamEdit()
    if beginsLate { edit.origin = .zero } else { edit.keepsSegments = true }
    if isUnderstated { edit.readToEnd(of: track, in: index, at: offset, length) }
    return edit
  }

  /// What is presented of frames whose list begins after the key frame that they need, or ends before
  /// their last one; `nil` where it does neither.
  private static func pictureEdit(
    of track: MovieTrack, in index: MovieIndex, at offset: Int, _ length: MovieLength
  ) -> StreamEdit? {
    guard track.timescale > 0, var edit = part(of: track, in: index), let part = track.edits.last,
      let list = index.data.first("edts", "elst", in: track.box)
    else { return nil }
    let stop = edit.end.map { Int($0.converted(to: edit.start.timescale).value) }
    guard let excerpt = index.excerpt(of: track, from: part.mediaTime, to: stop),
      excerpt.presentation <= part.mediaTime + excerpt.shift
    else { return nil }
    edit.present(excerpt)
    let beginsLate =
      part.mediaTime > track.firstOffset
      && excerpt.presentation < part.mediaTime + excerpt.shift
    guard beginsLate || edit.end != nil else { return nil }
    // The demuxer is to read one part that begins at the key frame, and goes on to the last frame that
    // is needed: it ends a part by the times of decoding.
    let rest = index.scaled(
      excerpt.last - excerpt.decode, from: track.timescale, to: index.timescale)
    let width = index.data.version(list) == 1 ? 8 : 4
    var entry = BoxWriter()
    entry.write(edit.end == nil ? length.value : max(1, rest), bytes: width)
    entry.write(excerpt.decode, bytes: width)
    entry.write(1 << 16, bytes: 4)
    edit.patches[offset + list.content + 4] = [0, 0, 0, 1]
    edit.patches[offset + list.content + 8] = entry.bytes
    edit.readToEnd(of: track, in: index, at: offset, length)
    return edit
  }

  private static func part(of track: MovieTrack, in index: MovieIndex) -> StreamEdit? {
    var edit = StreamEdit()
    let pauses = track.edits.prefix { $0.mediaTime < 0 }
    guard track.edits.count <= pauses.count + 1 else { return nil }
    guard let scale = Int32(exactly: track.timescale),
      let movieScale = Int32(exactly: index.timescale)
    else { return nil }
    edit.delay = MediaTime(
      value: Int64(pauses.map(\.duration).reduce(0, &+)), timescale: movieScale)
    if let part = track.edits.dropFirst(pauses.count).first {
      edit.start = MediaTime(value: Int64(part.mediaTime), timescale: scale)
      let length = MediaTime(value: Int64(part.duration), timescale: movieScale)
      // A movie in fragments doesn't know its length.
      if part.duration > 0, !index.goesOn(after: part, of: track) {
        edit.end = edit.start + length
      }
    }
    return edit
  }
}

extension StreamEdit {
  /// Has frames presented in the demuxer's times.
  fileprivate mutating func present(_ excerpt: MovieIndex.Excerpt) {
    let scale = start.timescale
    let shift = MediaTime(value: Int64(excerpt.shift), timescale: scale)
    keyFrame = MediaTime(value: Int64(excerpt.presentation), timescale: scale)
    (start, end) = (start + shift, end.map { $0 + shift })
    // An end that isn't before the last frame's is no cut, however it is rounded.
    let last = MediaTime(value: Int64(excerpt.end), timescale: scale)
    if let stop = end, stop.seconds + 0.001 > last.seconds { end = nil }
  }

  /// Presents what an encoder was given, in units of a track.
  fileprivate mutating func present(after priming: TrackPriming, _ scale: Int32) {
    start = MediaTime(value: Int64(priming.start), timescale: scale)
    guard let count = priming.count else { return }
    end = start + MediaTime(value: Int64(count), timescale: scale)
    cutsLastPacket = true
  }

  /// Has the demuxer read a track to its last sample.
  fileprivate mutating func readToEnd(
    of track: MovieTrack, in index: MovieIndex, at offset: Int, _ length: MovieLength
  ) {
    for (place, bytes) in index.lengthPatches(of: track, in: length) {
      patches[offset + place] = bytes
    }
  }
}
