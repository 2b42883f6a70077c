/// In which streams of a file GStreamer (1.22) finds a time exactly, and gives packets after it the
/// times that they have where all before them is read.
///
/// Movies have an index, which fragments lack; frames of FLAC are numbered. Audio of Matroska is counted
/// from its beginning, as its times are rounded. What a bit rate is taken for, as in MP3 and ADTS, gives
/// other times. Ogg and transport streams may begin again in the middle.
struct ExactSeeks {
  private let movieTracks: Set<Int>
  /// Whether it is a file of FLAC whose frames have the numbers that they should.
  private let isNumberedFLAC: Bool

  /// Those of a file that may be a movie, or FLAC.
  init(_ movie: MovieEdits?, _ flac: FLACBeginning?) {
    movieTracks = movie?.soughtTracks ?? []
    isNumberedFLAC = flac?.isNumbered ?? false
  }

  /// Whether that is so of a stream, which may be a movie's track of some number.
  func isExact(_ format: MediaFormat, track: Int?) -> Bool {
    if let track, movieTracks.contains(track) { return true }
    guard case .encoded(let encoded) = format else { return false }
    return isNumberedFLAC && encoded.codec == .flac
  }
}
