import Containers
import GraphKit

/// A file of one stream of encoded audio, and the writer that it has for a run.
struct AudioFileOutput: FileOutput {
  /// The kinds of files.
  enum Kind: Sendable { case mp3, flac, ogg }

  /// Bytes of a picture at most: it is in a block whose size has 24 bits.
  static let largestPicture = CoverPicture.largest - 1_024

  /// Bytes of all pictures of a stream at most: those of FLAC in Ogg are in such a block together, a
  /// third longer.
  func mostPictures(_ codec: Codec) -> Int {
    kind == .ogg && codec == .flac ? 11 << 20 : CoverPicture.most
  }

  let kind: Kind
  let place: OutputFile
  var file: OutputFile? { place }
  /// What the file says of itself, in place of what its stream says.
  var tags = MovieTags()

  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "file of audio")
    rules.skipLeads = kind != .flac
    return rules
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    switch format.codecs {
    case [.opus]: [.timedOpusPackets]
    case [.flac]: [.flacFrames]
    case [.vorbis]: [.timedVorbisPackets]
    default: []
    }
  }

  func trackCaps(for format: FormatConstraint) -> String {
    format.codecs.first.map(\.movieCaps) ?? format.capsText
  }

  func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)? {
    tracks.first.map { AudioFileTrack($0, of: self, to: file) }
  }

  /// The writer of a file.
  func writer(
    _ settings: AudioFileSettings, to file: WritableFile
  ) throws -> any AudioFileWriter {
    switch kind {
    case .mp3: MP3Writer(settings, to: file)
    case .flac: try FLACWriter(settings, to: file)
    case .ogg: try OggWriter(settings, to: file)
    }
  }
}
