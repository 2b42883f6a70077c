import GStreamer

/// The last touch to a movie that the muxer has written: what it can't say itself.
///
/// A movie in fragments becomes an ordinary one. All but that and the move of the index to the
/// front changes bytes in place and needs no room on a full disk, and the file is a movie at every
/// moment.
public struct MovieFinisher: Sendable {
  /// By how much players turn the picture, clockwise.
  public enum Rotation: String, Hashable, Sendable, CaseIterable, Codable {
    case none, rotate90, rotate180, rotate270
  }

  /// By how much players turn the picture.
  public var rotation = Rotation.none
  /// When the movie was made, in seconds since 1970; `nil` for what the muxer wrote.
  public var creationTime: Int?
  /// The four letters of the kind of file that it says it is; `nil` for what the muxer wrote.
  public var brand: String?
  /// For each track in order, how much of it is skipped, where that is known: a copy begins with
  /// what its source skips too.
  public var leads: [MediaTime?] = []
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
    for (number, track) in index.tracks.enumerated() {
      if track.sampleCount == 0 { index.hide(track) }
      let lead = leads.indices.contains(number) ? leads[number] : nil
      primings[track.identifier] =
        lead.map { track.units(in: $0) } ?? priming(of: track, in: index, movie)
      if track.kind == .encodedVideo { index.turn(track, rotation) }
    }
    index.startSession(priming: primings)
    if let creationTime { index.stamp(creationTime) }
    if let brand { try movie.setBrand(brand) }
    if optimizesForNetworkUse, !movie.isIndexFirst {
      try movie.moveIndexToFront(index)
    } else {
      try movie.replaceIndex(box, by: index)
    }
  }

  /// Samples before the first that was recorded, in the track's units; `nil` where there are none.
  ///
  /// libav's AAC encoder puts 1,024 in front, and its name into the packet that holds them: so a
  /// track that was copied without that packet is recognised, and left alone. Its place there is
  /// a fill element (ISO/IEC 14496-3, 4.4.2.7) at the head of the packet.
  private func priming(of track: MovieTrack, in index: MovieIndex, _ movie: MovieFile) -> Int? {
    // An edit list that skips something already is somebody's who knew, such as this finisher's.
    guard track.codec == "mp4a", track.edits.last?.mediaTime == 0,
      let place = index.firstSample(of: track),
      let sample = try? movie.file.read(at: place.offset, count: min(place.size, 64)),
      sample.contains(Array("Lavc".utf8))
    else { return nil }
    return 1024
  }
}

extension MovieTrack {
  /// A time in the track's units, to the nearest.
  fileprivate func units(in time: MediaTime) -> Int {
    Int((time.seconds * Double(timescale)).rounded())
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
