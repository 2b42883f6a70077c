import GraphKit

/// The kinds of files that `matroskaSink` writes, by the ends of their names.
enum MatroskaKind: String {
  case mkv, mka, webm

  /// The kind of file that a path names; `nil` where it names none.
  init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard name.contains("."), let end = name.split(separator: ".").last else { return nil }
    self.init(rawValue: end.lowercased())
  }

  static let endings = ".mkv, .mka or .webm"

  /// The element that writes such files.
  var muxer: String { self == .webm ? "webmmux" : "matroskamux" }

  /// The codecs that a file of the kind may have.
  var codecs: [Codec] {
    self == .webm ? [.vp8, .vp9, .av1, .opus, .vorbis] : Self.videoCodecs + Self.audioCodecs
  }

  static let videoCodecs: [Codec] = [
    .h264, .hevc, .av1, .vp9, .vp8, .mpeg4, .mpeg2, .jpeg, .prores,
  ]
  static let audioCodecs: [Codec] = [
    .opus, .aac, .mp3, .vorbis, .flac, .ac3, .eac3, .dts, .mp2,
  ]
}

extension FormatConstraint {
  /// Encoded media of one of some codecs of the same kind.
  static func encoded(_ kind: MediaKind, _ codecs: [Codec]) -> FormatConstraint {
    var constraint = FormatConstraint(kind)
    constraint.codecs = codecs
    return constraint
  }
}
