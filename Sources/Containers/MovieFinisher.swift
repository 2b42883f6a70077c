import Media

/// The last touch to a movie that the muxer has written: what it can't say itself.
///
/// A movie in fragments becomes an ordinary one. All but that and the move of the index to the
/// front changes bytes in place and needs no room on a full disk, and the file is a movie at every
/// moment.
public struct MovieFinisher: Sendable {
  /// What is known of a track, and isn't in the file.
  public struct Track: Hashable, Sendable {
    /// How much of it is skipped, where that is known: a copy begins with what its source skips
    /// too.
    public var lead: MediaTime?
    /// Samples that the run's own encoder puts before the first that was recorded; `nil` where
    /// there is none. They are skipped also where the packet that holds them was left out: those
    /// after it are later by as many.
    public var priming: Int?
    /// How players rotate its video; `nil` for what the muxer wrote.
    public var rotation: Rotation?
    /// Whether what it has from before the movie's first video sample is presented, too.
    public var keepsStart = false

    /// A track of which nothing is known.
    public init() {}
  }

  /// When the movie was made, in seconds since 1970; `nil` for what the muxer wrote.
  public var creationTime: Int?
  /// The four letters of the kind of file that it says it is; `nil` for what the muxer wrote.
  public var brand: String?
  /// What is known of the tracks, in the order of their numbers.
  public var tracks: [Track] = []
  /// Whether the index goes in front of the samples, so that playing can begin before the whole
  /// file is there.
  public var optimizesForNetworkUse = false

  /// A finisher that only repairs: it leaves out the samples that an AAC encoder puts before the
  /// first, and tracks that never got any.
  public init() {}

  /// Finishes a movie that is closed, or that was cut off.
  public func finish(_ path: String) throws(NodeError) {
    try MovieFile(path, for: .changing).joinFragments()
    let movie = try MovieFile(path, for: .changing)
    guard let box = movie.indexBox, movie.fragmentStart == nil else { return }
    var index = try movie.index()
    var primings: [Int: Int] = [:]
    for track in index.tracks {
      if track.sampleCount == 0 { index.hide(track) }
      let known = known(of: track)
      primings[track.identifier] =
        known.lead.map { track.units(in: $0) }
        ?? priming(of: track, known: known.priming, in: index, movie)
      if let rotation = known.rotation { index.data.turn(track, rotation) }
    }
    let kept = index.tracks.map(\.identifier).filter { id in
      tracks.indices.contains(id - 1) && tracks[id - 1].keepsStart
    }
    index.startSession(priming: primings, keepingStartOf: Set(kept))
    if let creationTime { index.stamp(creationTime) }
    if let brand { try movie.setBrand(brand) }
    // First in place, since there may be no room for a copy.
    try movie.replaceIndex(box, by: index)
    if optimizesForNetworkUse, !movie.isIndexFirst { try movie.moveIndexToFront(index) }
  }

  /// A track that never got a sample isn't in the file, so that its number counts and not its place.
  private func known(of track: MovieTrack) -> Track {
    tracks.indices.contains(track.identifier - 1) ? tracks[track.identifier - 1] : Track()
  }

  /// Samples before the first that was recorded, in the track's units; `nil` where there are none.
  ///
  /// libav's AAC encoder puts 1,024 in front, and its name into the packet that holds them: so a
  /// track that was copied without that packet is recognised, and left alone. Its place there is
  /// a fill element (ISO/IEC 14496-3, 4.4.2.7) at the head of the packet.
  private func priming(
    of track: MovieTrack, known: Int?, in index: MovieIndex, _ movie: MovieFile
  ) -> Int? {
    // An edit list that skips something already was written with the priming known, as this
    // finisher does.
    guard track.codec == "mp4a", track.edits.last?.mediaTime == 0 else { return nil }
    if let known { return known }
    guard let place = index.firstSample(of: track),
      let sample = try? movie.file.read(at: place.offset, count: min(place.size, 64)),
      sample.contains(Array("Lavc".utf8))
    else { return nil }
    return 1024
  }
}

extension MovieTrack {
  /// A time in the track's units, to the nearest; none where it can't be counted in them.
  fileprivate func units(in time: MediaTime) -> Int {
    Int(exactly: (time.seconds * Double(timescale)).rounded()) ?? 0
  }
}

extension MovieFile {
  func setBrand(_ brand: String) throws(NodeError) {
    guard brand.utf8.count == 4, let box = boxes.first, box.type == "ftyp", box.size >= 16 else {
      return
    }
    do {
      try file.write(Array(brand.utf8), at: box.content)
    } catch { throw .unusable(path, error) }
  }

  func replaceIndex(_ box: MovieBox, by index: MovieIndex) throws(NodeError) {
    do {
      try file.write(index.data.bytes, at: box.start)
    } catch { throw .unusable(path, error) }
  }
}
