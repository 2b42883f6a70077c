import GraphKit

/// A graph to begin with: `graphctl new` writes it, and its reader changes it.
struct Start {
  /// The word for it on the command line.
  var name: String
  /// One line of help.
  var help: String
  /// The graph file.
  var json: String

  /// All of them, in the order of listings.
  static let all = [
    record, screen, transcode, copy, excerpt, gif, podcast, flac, waveform, waveformPicture,
    thumbnails, sheet, poster, hls,
  ]

  /// The parameters without a default, which a run must set.
  var requiredParameters: [String] {
    let parameters = (try? GraphDocument(json: json))?.parameters ?? []
    return parameters.filter { $0.defaultValue.content == .null }.map { $0.name.value }
  }
}
