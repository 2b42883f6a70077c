import Media

/// What is known of a track besides its format, before anything is written.
package struct MovieTrackOptions: Hashable, Sendable {
  /// How much of its beginning players skip, where a copy's source says.
  package var lead: MediaTime?
  /// When the copied stream begins with that: a part of it that begins later has less of it.
  package var start = MediaTime.zero
  /// How much is presented after that; `nil` for all.
  package var length: MediaTime?
  /// When what is presented of it ends, in nanoseconds; `nil` where all is.
  package var stop: Int64?
  /// Samples that an encoder puts before the first that was recorded; `nil` where that isn't known.
  package var priming: Int?
  /// Whether nothing of it is skipped but what is presented before the movie begins.
  package var hasPresentationTimes = false
  /// How players rotate its frames.
  package var rotation = Rotation.none
  /// Whether what it has from before the movie's first video sample is presented, too.
  package var keepsStart = false
  /// What the file that it is a copy of says of it; `nil` where that isn't known.
  package var label: TrackLabel?

  package init() {}
}

extension MovieTrackOptions {
  /// By how many nanoseconds a track is presented before its own times, and how many units at its
  /// beginning are skipped, of a track whose first sample is presented at a time and has such bytes.
  func beginning(
    of format: MovieTrackFormat, at presentation: Int64, _ firstBytes: [UInt8]
  ) -> (moved: Int64, skipped: Int) {
    if let lead {
      // A part of a stream that begins later has less of the lead, but is presented as far before its
      // own times.
      let moved = min(
        max(0, presentation &- (start.nanoseconds ?? 0)), lead.nanoseconds ?? 0)
      let all = Int(lead.converted(to: Int32(clamping: format.timescale)).value)
      return (moved, max(0, all - MovieTimeline.units(moved, format.timescale)))
    }
    guard format.isAudio, !hasPresentationTimes else { return (0, 0) }
    let found = format.codec == .aac ? AACPriming.samples(inFirst: firstBytes) : nil
    return (0, max(0, priming ?? found ?? 0))
  }

  /// How much earlier its samples are presented in a stream, which skips nothing, in nanoseconds.
  func streamLead(
    of format: MovieTrackFormat, at presentation: Int64, _ firstBytes: [UInt8]
  ) -> Int64 {
    let (moved, skipped) = beginning(of: format, at: presentation, firstBytes)
    return moved &+ Int64(MovieTimeline.scaled(skipped, format.timescale, 1_000_000_000))
  }
}
