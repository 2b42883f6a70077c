import GraphKit

/// A movie that `mp4mux` or `qtmux` writes, and a finisher completes.
struct MovieOutput: FileOutput {
  let file: OutputFile
  /// Whether the muxer writes it in fragments.
  let isFragmented: Bool
  var rotation: Rotation?
  /// What completes it, but for what is known of the tracks.
  var finisher = MovieFinisher()

  init(file: OutputFile, isFragmented: Bool) {
    self.file = file
    self.isFragmented = isFragmented
  }

  var tracks: TrackRules? { TrackRules(fileName: "movie") }

  var muxerPass: MuxerPass? { isFragmented ? .isoFragments : nil }

  /// A track of few frames a second needs units of time that hold their times: the muxer takes a
  /// hundred a frame, rounded down to whole ones a second, which may be none at all.
  func padProperties(for format: FormatConstraint) -> [String: String] {
    guard let rate = format.frameRate, rate < Rational(1) else { return [:] }
    return ["trak-timescale": "1000"]
  }

  func padFilters(for format: FormatConstraint) -> [PadFilter] {
    format.codecs == [.opus] ? [.timedOpusPackets] : []
  }

  func finish(_ tracks: [OutputTrack]) throws(NodeError) {
    var finisher = finisher
    finisher.tracks = tracks.map { known in
      var track = MovieFinisher.Track()
      (track.lead, track.priming) = (known.lead, known.priming)
      (track.rotation, track.keepsStart) = (known.rotation, known.keepsStart)
      return track
    }
    try finisher.finish(file.path)
  }

  func writtenTracks() -> [Int: WrittenTrack]? {
    guard let movie = try? MovieReader.read(file.path) else { return nil }
    let tracks = movie.tracks.map { track in
      let written = WrittenTrack(sampleCount: track.sampleCount, duration: track.mediaDuration)
      return (track.identifier, written)
    }
    return Dictionary(tracks, uniquingKeysWith: { first, _ in first })
  }
}
