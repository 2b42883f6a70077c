import Media

/// Where the segments of a movie end.
extension MovieWriter {
  /// The track whose key frames segments begin with.
  private var leader: Int? {
    tracks.firstIndex { $0.format?.isVideo == true }
      ?? tracks.firstIndex { $0.format?.isAudio == true }
  }

  /// A sample has come with which decoding can start.
  mutating func noteKeyFrame(_ sample: MovieSample, of track: Int) {
    guard let length = settings.segmentDuration, track == leader else { return }
    segments.noteKeyFrame(
      sample, of: track, lead: tracks[track].streamLead, on: TimeGrid(length))
  }

  /// Whether all samples have come of the segment that is being written.
  var isSegmentComplete: Bool {
    segments.next != nil
      && tracks.indices.allSatisfy { index in
        let track = tracks[index]
        return track.isEnded || !leads(track) || track.reach >= segmentEnd(of: index)
      }
  }

  /// When the first sample of a track is decoded that isn't in the segment that is being written any
  /// more; the end of time where that isn't known.
  ///
  /// Of audio that is so much as was asked for. Of other video it is what is decoded before the key
  /// frame, of which its own encoder has made one, too.
  func segmentEnd(of index: Int) -> Int64 {
    guard let border = segments.next else { return .max }
    guard index != leader, tracks[index].format?.isAudio == true, let end = border.ends[index]
    else { return border.decode }
    return end &+ tracks[index].streamLead &+ 1
  }

  /// What a fragment holds is in the segment that is being written. Fragments of segments count from
  /// one time.
  mutating func noteSegmentRuns(_ runs: [MovieFragmentBox.Run]) {
    for run in runs {
      segments.add(run, timescale: tracks[run.track - 1].timescale, from: session)
    }
  }
}
