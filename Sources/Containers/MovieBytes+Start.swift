/// When the first sample of a track is presented and decoded, in nanoseconds.
package struct TrackStart: Hashable, Sendable {
  let presentation: Int64
  let decode: Int64

  package init(presentation: Int64, decode: Int64) {
    self.presentation = presentation
    self.decode = decode
  }
}

extension MovieBytes {
  /// The index of a movie in fragments with edit lists (ISO/IEC 14496-12, 8.6.6) that say when its
  /// tracks begin, and without those of its tracks that have no sample when it begins: many players
  /// refuse a movie with a track that doesn't say what its samples are. `nil` for other bytes.
  ///
  /// The track with the number n begins as the n-th of `starts` says.
  package func startingTracks(_ starts: [TrackStart?]) -> [UInt8]? {
    guard let index = MovieIndex(self), first("mvex", in: index.movie) != nil else { return nil }
    let session = starts.compactMap(\.self).map(\.presentation).min() ?? 0
    var writer = BoxWriter()
    writer.box("moov") { writer in
      for box in boxes(of: index.movie) {
        guard let track = index.tracks.first(where: { $0.box == box }) else {
          writer.copy(box, of: self)
          continue
        }
        if track.codec.isEmpty { continue }
        let number = track.identifier - 1
        guard starts.indices.contains(number), let start = starts[number] else {
          writer.copy(box, of: self)
          continue
        }
        let edits = track.edits(from: start, session: session, movieTimescale: index.timescale)
        write(track, edits, to: &writer)
      }
    }
    return writer.bytes
  }

  private func write(_ track: MovieTrack, _ edits: [MovieTrack.Edit], to writer: inout BoxWriter) {
    writer.box("trak") { writer in
      for box in boxes(of: track.box) where box.type != "edts" {
        writer.copy(box, of: self)
        if box == track.header { writer.edits(edits) }
      }
    }
  }
}

extension MovieTrack {
  /// A pause until the track begins, and all from its first frame on; how long that is, the
  /// fragments will show.
  fileprivate func edits(from start: TrackStart, session: Int64, movieTimescale: Int) -> [Edit] {
    let presentation = Double(start.presentation)
    let pause = Self.units(presentation - Double(session), movieTimescale)
    let skipped = Self.units(max(0, presentation - Double(start.decode)), timescale)
    let rest = Edit(offset: 0, duration: 0, mediaTime: skipped)
    return pause > 0 ? [Edit(offset: 0, duration: pause, mediaTime: -1), rest] : [rest]
  }

  /// None where the times can't be counted, which only a damaged file has.
  private static func units(_ nanoseconds: Double, _ timescale: Int) -> Int {
    Int(exactly: (nanoseconds * Double(timescale) / 1e9).rounded()) ?? 0
  }
}
