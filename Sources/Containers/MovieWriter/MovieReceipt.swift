import Media
import GraphKitSystem

/// What a movie's writer has put into it, to compare the finished file with.
package struct MovieReceipt: Sendable {
  struct Track: Sendable {
    var identifier: Int
    var sampleCount: Int
    /// In the track's units.
    var duration: Int
    /// Duration and media time of each edit.
    var edits: [[Int]]
    var lastSize: Int
    var lastSum: UInt64
  }

  var tracks: [Track] = []

  init(tracks: [Track] = []) { self.tracks = tracks }

  /// What a file has otherwise, in words; none where it is as it was written. Of the samples the last of
  /// each track is read.
  package func faults(of path: String) throws(NodeError) -> [String] {
    guard !tracks.isEmpty else { return [] }
    let movie = try MovieFile(path, for: .reading)
    return try movie.withSkimmedIndex { faults(of: movie, $0) }
  }

  private func faults(of movie: MovieFile, _ index: MovieIndex) -> [String] {
    guard movie.fragmentStart == nil else { return ["it is still in fragments"] }
    var faults: [String] = []
    if index.tracks.map(\.identifier) != tracks.map(\.identifier) {
      faults.append("it has \(index.tracks.count) of \(tracks.count) tracks")
    }
    for track in tracks {
      guard let found = index.tracks.first(where: { $0.identifier == track.identifier }) else {
        continue
      }
      faults += track.faults(of: found, in: index, movie).map { "track \(track.identifier) \($0)" }
    }
    return faults
  }
}

extension MovieReceipt.Track {
  init(_ track: MovieHeader.Track, last: (size: Int, sum: UInt64)) {
    identifier = track.identifier
    (sampleCount, duration) = (track.table.sampleCount, track.table.duration)
    edits = track.edits.map { [$0.duration, $0.mediaTime] }
    (lastSize, lastSum) = last
  }

  fileprivate func faults(
    of found: MovieTrack, in index: MovieIndex, _ movie: MovieFile
  ) -> [String] {
    var faults: [String] = []
    if found.sampleCount != sampleCount {
      faults.append("has \(found.sampleCount) of \(sampleCount) samples")
    }
    if found.duration != duration {
      faults.append("lasts \(found.duration) of \(duration) units")
    }
    if found.edits.map({ [$0.duration, $0.mediaTime] }) != edits {
      faults.append("has another edit list")
    }
    let media = movie.boxes.filter { $0.type == "mdat" }.map { $0.content..<$0.end }
    var isOutside = false
    var last = 0..<0
    let isWhole = index.forEachSample(of: found, below: movie.file.size) { sample, place, _ in
      last = place..<place + sample.size
      isOutside = isOutside || !media.contains { last.isInside($0) }
    }
    if !isWhole || isOutside { faults.append("names samples that aren't in the file") }
    var sum = Checksum()
    if let bytes = try? movie.file.read(at: last.lowerBound, count: last.count) {
      sum.add(bytes.span)
    }
    if last.count != lastSize || sum.value != lastSum { faults.append("ends with another sample") }
    return faults
  }
}

extension Range where Bound == Int {
  fileprivate func isInside(_ other: Range) -> Bool {
    lowerBound >= other.lowerBound && upperBound <= other.upperBound
  }
}
