/// How a container stores texts that are shown for some time. GStreamer's readers make the same of all.
package enum TextFormat: String, Hashable, Sendable {
  case subRip = "subrip"
  case webVTT = "webvtt"
  case ass, ssa, usf, tx3g, ttml
  /// Texts of QuickTime movies.
  case text

  /// That of a track of Matroska (RFC 9559's registry of codecs) or WebM.
  init?(matroska codec: String) {
    switch codec {
    case "S_TEXT/UTF8", "S_TEXT/ASCII": self = .subRip
    case "S_TEXT/ASS", "S_ASS": self = .ass
    case "S_TEXT/SSA", "S_SSA": self = .ssa
    case "S_TEXT/USF": self = .usf
    case "S_TEXT/WEBVTT", "D_WEBVTT/SUBTITLES", "D_WEBVTT/CAPTIONS": self = .webVTT
    default: return nil
    }
  }

  /// That of a sample entry of a movie.
  init?(movie entry: String) {
    switch entry {
    case "tx3g", "sbtl": self = .tx3g
    case "wvtt": self = .webVTT
    case "stpp": self = .ttml
    case "text": self = .text
    default: return nil
    }
  }

  /// Its name in words.
  package var spoken: String {
    switch self {
    case .subRip: "SubRip"
    case .webVTT: "WebVTT"
    case .ass, .ssa, .usf, .ttml: rawValue.uppercased()
    case .tx3g: "3GPP timed text"
    case .text: "QuickTime text"
    }
  }
}
