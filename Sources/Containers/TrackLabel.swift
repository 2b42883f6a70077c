/// What a file says of a track for those who choose among several: its name, and whether players
/// present it by themselves.
package struct TrackLabel: Hashable, Sendable {
  /// What it is called; `nil` for nothing.
  package var name: String?
  /// Whether it is presented unless users choose another.
  package var isDefault: Bool
  /// Whether it has what is to be shown though users want no subtitles, such as what a foreigner says.
  package var isForced: Bool

  package init(name: String? = nil, isDefault: Bool = true, isForced: Bool = false) {
    (self.name, self.isDefault, self.isForced) = (name, isDefault, isForced)
  }

  /// That subtitles are forced, as a kind of track: a scheme (ISO/IEC 23009-1, 5.8.5.5) and a word of it.
  static let forcedKind = Array("urn:mpeg:dash:role:2011\0forced-subtitle\0".utf8)
}
