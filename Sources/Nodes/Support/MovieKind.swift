/// The kinds of files that `mp4Sink` writes, by the ends of their names.
enum MovieKind: String {
  case mp4, m4v, m4a, m4b, mov
  /// A track of video or audio by itself (CMAF, ISO/IEC 23000-19, 7.3.3.2).
  case cmfv, cmfa

  /// The kind of file that a path names; `nil` where it names none.
  init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard name.contains("."), let end = name.split(separator: ".").last else { return nil }
    self.init(rawValue: end.lowercased())
  }

  static let endings = ".mp4, .m4v, .m4a, .m4b, .mov, .cmfv or .cmfa"

  var isQuickTime: Bool { self == .mov }
  var isTrack: Bool { self == .cmfv || self == .cmfa }
  var isAudioOnly: Bool { [.m4a, .m4b, .cmfa].contains(self) }

  /// What the file calls itself, where nothing else is asked for.
  var brand: String {
    switch self {
    case .mp4: "isom"
    case .m4v: "M4V "
    case .m4a: "M4A "
    case .m4b: "M4B "
    case .mov: "qt  "
    case .cmfv, .cmfa: "cmf2"
    }
  }
}
