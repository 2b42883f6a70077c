import Containers
import GraphKit

/// A folder that a stream goes to, and the writer that it has for a run.
struct StreamOutput: FileOutput {
  /// What is said of a stream as a whole.
  struct Settings: Sendable {
    /// The length of segments, in nanoseconds.
    var segmentDuration: Int64 = 6_000_000_000
    /// How much of a stream without end is listed, in nanoseconds; `nil` for all of it.
    var window: Int64?
    /// Whether there is a manifest for players of DASH.
    var hasManifest = true
    /// When it was made, in seconds since 1970; `nil` where it doesn't say.
    var creationTime: Int?
  }

  let folder: OutputFile
  var file: OutputFile? { folder }
  let settings: Settings
  /// What movies ask of the packets, a stream does.
  private let movie: MovieOutput

  init(folder: OutputFile, _ settings: Settings) {
    (self.folder, self.settings) = (folder, settings)
    movie = MovieOutput(file: folder)
  }

  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "stream")
    rules.keyFrameInterval = MediaTime(nanoseconds: settings.segmentDuration)
    return rules
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    movie.padFilters(for: format, track)
  }
  func trackCaps(for format: FormatConstraint) -> String { movie.trackCaps(for: format) }

  func makeWriter(_ tracks: [OutputTrack], in folder: WritableFolder) -> (any TrackWriter)? {
    StreamTracks(tracks, settings, to: folder)
  }
}
