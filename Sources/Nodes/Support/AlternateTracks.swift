import Containers
public import GraphKit

/// Tracks of a movie of which a player presents one: one language of several, say.
public struct AlternateTracks: ListItem {
  /// The ports that the tracks come to.
  public var tracks: [String]
  /// The one that is presented unless users choose another; `nil` for none of them.
  public var defaultTrack: String?

  /// Tracks of some ports.
  public init(tracks: [String], defaultTrack: String?) {
    (self.tracks, self.defaultTrack) = (tracks, defaultTrack)
  }

  private static let mostTracks = 100

  public static let kind = ParameterKind.record([
    RecordField(
      "tracks", .list(.string, limit: mostTracks), required: true,
      help: "The tracks, by their ports."),
    RecordField("default", .string, help: "The one that players present by themselves; none."),
  ])

  public init?(json: JSONValue) {
    guard case .object(let fields) = json, case .array(let values)? = fields["tracks"],
      values.count <= Self.mostTracks
    else { return nil }
    tracks = values.compactMap { if case .string(let port) = $0 { port } else { nil } }
    guard tracks.count == values.count else { return nil }
    switch fields["default"] {
    case .string(let port)?: defaultTrack = port
    case nil: defaultTrack = nil
    default: return nil
    }
  }

  public var json: JSONValue {
    var fields: [String: JSONValue] = ["tracks": .array(tracks.map { .string($0) })]
    fields["default"] = defaultTrack.map { .string($0) }
    return .object(fields)
  }
}

extension [AlternateTracks] {
  /// As a movie's writer has them, by the tracks' places among all.
  func numbered(among tracks: [OutputTrack]) -> [Int: AlternateTrack] {
    var found: [Int: AlternateTrack] = [:]
    for (group, alternatives) in enumerated() {
      for (index, track) in tracks.enumerated() where alternatives.tracks.contains(track.port) {
        found[index] = AlternateTrack(
          group: group, isDefault: track.port == alternatives.defaultTrack)
      }
    }
    return found
  }

  /// What is wrong with them by themselves; `nil` where nothing is.
  var problem: NodeError? {
    var seen: Set<String> = []
    for group in self {
      let names = group.tracks.joined(separator: ", ")
      guard group.tracks.count > 1 else {
        return error(
          "`alternatives` has a group of \(names.isEmpty ? "no track" : "one track, \(names)")",
          remedy: "name two tracks at least of which one excludes the other")
      }
      if let port = group.tracks.first(where: { !seen.insert($0).inserted }) {
        return error(
          "`alternatives` names \(port) twice", remedy: "name each track in one group, once")
      }
      if let port = group.defaultTrack, !group.tracks.contains(port) {
        return error(
          "the default of the group \(names) is \(port), which isn't in it",
          remedy: "give one of the group's tracks, or leave `default` out")
      }
    }
    return nil
  }

  /// What is wrong with them where tracks of some formats are wired.
  func problem(formats: [String: FormatConstraint]) -> NodeError? {
    if let port = flatMap(\.tracks).first(where: { formats[$0] == nil }) {
      return error(
        "`alternatives` names \(port), to which nothing is wired",
        remedy: "name some of \(formats.keys.sorted().joined(separator: ", "))")
    }
    let mixed = first { Set($0.tracks.compactMap { formats[$0]?.kind.decoded }).count > 1 }
    return mixed.map { group in
      error(
        "`alternatives` has \(group.tracks.joined(separator: ", ")) in a group, which aren't of one "
          + "medium",
        remedy: "make a group each of the audio, of the video and of the texts that exclude each "
          + "other")
    }
  }

  private func error(_ message: String, remedy: String) -> NodeError {
    NodeError(message, remedy: remedy, key: "alternatives")
  }
}
