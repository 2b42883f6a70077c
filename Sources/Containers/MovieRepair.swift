import Media
import GraphKitSystem

/// Completes movies that were cut off while they were recorded.
public enum MovieRepair {
  /// What was found in a movie.
  public struct Findings: Hashable, Sendable, Codable {
    /// Whether it was in fragments, and has been made an ordinary movie.
    public var wasFragmented: Bool
    /// Bytes at its end that hold no whole sample: what was being written.
    public var lostBytes: Int
    /// The movie as it is now.
    public var movie: ContainerSummary
  }

  /// Makes an ordinary movie of one in fragments, be it GraphKit's or another program's, with all
  /// samples that are whole. A movie that is whole already stays as it is.
  ///
  /// Only the last step changes what players see, and it is one small write: whenever this is
  /// interrupted, the file is what it was, or the ordinary movie. Throws where the file can't be
  /// read or written, or has nothing that says where its samples are; it then stays as it was.
  public static func repair(_ path: String) throws(NodeError) -> Findings {
    let movie = try MovieFile(path, for: .changing)
    guard movie.indexBox != nil else {
      throw NodeError(
        "`\(path)` can't be repaired: it has no `moov` box, which says what its samples are",
        remedy: "movies that are recorded in fragments have one from the beginning", key: "path")
    }
    let lost = try movie.joinFragments()
    return Findings(
      wasFragmented: movie.fragmentStart != nil, lostBytes: lost, movie: try MovieReader.read(path))
  }
}

extension MovieFile {
  /// What goes to the end of a movie in fragments, at an offset, to make it an ordinary one: the index
  /// of all samples, and before it the titles of its chapters, as samples, where moments were marked.
  /// The movie begins with its first frame, and without the priming of an encoder; nothing moves against
  /// another track.
  func completed(
    _ first: MovieIndex, with contents: FragmentContents, at end: Int
  ) -> (titles: [UInt8], index: [UInt8]) {
    let joined = first.joined(with: contents.tables)
    guard var index = MovieIndex(MovieBytes(bytes: joined)) else { return ([], joined) }
    var primings: [Int: Int] = [:]
    // Without any edit list, a fragment's times are those of its samples, with the priming among them, and
    // video is in step with that.
    let hasVideo = index.tracks.contains { $0.kind == .encodedVideo && $0.sampleCount > 0 }
    let isInStep = hasVideo && first.tracks.allSatisfy(\.edits.isEmpty)
    for track in index.tracks {
      if track.sampleCount == 0 { index.hide(track) }
      if !isInStep { primings[track.identifier] = priming(of: track, in: index) }
    }
    let start = first.start(of: contents.tables) &+ index.startSession(priming: primings)
    guard !contents.marks.all.isEmpty, let last = MovieIndex(index.data) else {
      return ([], index.data.bytes)
    }
    return last.adding(contents.marks, from: start, isQuickTime: isQuickTime, at: end)
  }

  private var isQuickTime: Bool {
    guard let box = boxes.first, box.type == "ftyp" else { return false }
    return (try? file.read(at: box.content, count: 4)) == Array("qt  ".utf8)
  }

  /// Samples before the first that was recorded, in the track's units; `nil` where there are none.
  private func priming(of track: MovieTrack, in index: MovieIndex) -> Int? {
    // An edit list that skips something already was written with the priming known.
    guard track.codec == "mp4a", track.edits.last?.mediaTime == 0,
      let place = index.firstSample(of: track),
      let sample = try? file.read(at: place.offset, count: min(place.size, 64))
    else { return nil }
    return AACPriming.samples(inFirst: sample)
  }
}

/// What an encoder of AAC says of itself in its first packet.
enum AACPriming {
  /// The samples before the first that was recorded; `nil` where the packet doesn't say.
  ///
  /// libav's encoder puts 1,024 in front, and its name into the packet that holds them: a fill
  /// element (ISO/IEC 14496-3, 4.4.2.7) at its head. So a stream from which that packet was taken is
  /// recognised, and left alone.
  static func samples(inFirst packet: [UInt8]) -> Int? {
    packet.prefix(64).contains(Array("Lavc".utf8)) ? 1_024 : nil
  }
}

extension MovieTrackFormat {
  /// How long what an encoder puts before the first sample that was recorded is, in nanoseconds: as
  /// known, or as its first packet says.
  package func primingLength(_ known: Int?, first: [UInt8]) -> Int64 {
    guard isAudio else { return 0 }
    let found = codec == .aac ? AACPriming.samples(inFirst: first) : nil
    return Int64(MovieTimeline.scaled(known ?? found ?? 0, timescale, 1_000_000_000))
  }
}

extension MovieFile {
  /// Moves the index of a movie in front of its samples, where it isn't already.
  ///
  /// Where it isn't `flushed`, that holds for the end of the process, and not for that of the power.
  package static func moveIndexToFront(
    of path: String, flushed: Bool = true
  ) throws(NodeError) {
    let movie = try MovieFile(path, for: .reading)
    guard movie.fragmentStart == nil, !movie.isIndexFirst else { return }
    try movie.moveIndexToFront(try movie.index(), flushed: flushed)
  }
}
