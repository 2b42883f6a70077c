import Containers
import GraphKit

/// What a graph says of a movie or a file of audio: the keys of the parameter `tags`.
public struct MovieLabels: ListItem {
  /// What is said, by its key.
  private(set) var texts: [String: String] = [:]

  /// Nothing.
  public init() {}

  /// The keys, GStreamer's names for the same, and what they mean.
  private static let allKeys: [(key: String, tag: String, help: String)] = [
    ("artist", "artist", "Who made it."), ("album", "album", "What it is a part of."),
    ("albumArtist", "album-artist", "Who made that."), ("composer", "composer", "Who wrote it."),
    ("genre", "genre", "Its kind."), ("date", "datetime", "When it appeared, as 2026-01-31."),
    ("track", "track-number", "Its number in the album, or 3/12."),
    ("disc", "album-disc-number", "The number of the album's disc, or 1/2."),
    ("comment", "comment", "A remark."), ("description", "description", "What it shows."),
    ("grouping", "grouping", "What it belongs to."), ("lyrics", "lyrics", "Its words."),
    ("copyright", "copyright", "Whose it is."),
    ("encoder", "application-name", "The program that made it."),
    ("location", "location", "Where it was recorded, by ISO 6709: +48.8577+002.2950/"),
  ]

  public static let kind = ParameterKind.record(
    allKeys.map { RecordField($0.key, .string, help: $0.help) })

  public init?(json: JSONValue) {
    guard case .object(let fields) = json else { return nil }
    for (key, value) in fields {
      guard case .string(let text) = value else { return nil }
      texts[key] = text
    }
  }

  public var json: JSONValue { .object(texts.mapValues { .string($0) }) }

  /// The keys of what is said.
  var keys: [String] { texts.filter { !$1.isEmpty }.keys.sorted() }

  /// The counts that may follow a number.
  private static let counts = ["track": "track-count", "disc": "album-disc-count"]

  /// The texts by GStreamer's names.
  var tags: [String: String] {
    var tags: [String: String] = [:]
    for (key, tag, _) in Self.allKeys {
      guard let text = texts[key], !text.isEmpty else { continue }
      let parts = text.split(separator: "/").map(String.init)
      if let count = Self.counts[key] {
        tags[tag] = parts[0]
        if parts.count > 1 { tags[count] = parts[1] }
      } else {
        tags[tag] = text
      }
    }
    return tags
  }

  /// What is wrong with them.
  var problem: NodeError? {
    for key in ["track", "disc"] {
      guard let text = texts[key] else { continue }
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt16($0) }
      if numbers.count > 2 || numbers.contains(where: { ($0 ?? 0) == 0 }) {
        return NodeError(
          "`\(text)` is no number in a row", remedy: "write it as \"3\" or \"3/12\"",
          key: "tags.\(key)")
      }
    }
    guard let place = texts["location"], !Self.isLocation(place) else { return nil }
    return NodeError(
      "`\(place)` is no place as ISO 6709 has it",
      remedy: "write degrees north and east, as \"+48.8577+002.2950/\"", key: "tags.location")
  }

  /// Two or three numbers with their signs, and a stroke at the end.
  private static func isLocation(_ text: String) -> Bool {
    guard text.hasSuffix("/"), let first = text.first, "+-".contains(first) else { return false }
    let signs = text.count { "+-".contains($0) }
    let numbers = text.dropLast().split { "+-".contains($0) }
    return (2...3).contains(signs) && numbers.count == signs
      && numbers.allSatisfy { Double($0) != nil }
  }
}

/// A chapter of a movie, as a graph has it.
public struct MovieMark: ListItem {
  /// When it begins, in seconds of the movie.
  public var time: Double
  /// What it is called.
  public var title: String

  private static let times = 0.0...31_536_000

  public static let kind = ParameterKind.record([
    RecordField("time", .number(times), unit: "s", required: true, help: "When it begins."),
    RecordField("title", .string, required: true, help: "What it is called."),
  ])

  public init?(json: JSONValue) {
    guard case .object(let fields) = json, case .number(let time)? = fields["time"],
      Self.times.contains(time), case .string(let title)? = fields["title"]
    else { return nil }
    (self.time, self.title) = (time, title)
  }

  public var json: JSONValue { .object(["time": .number(time), "title": .string(title)]) }

  /// As movies have it.
  var chapter: MovieChapter { MovieChapter(start: Int((time * 1_000).rounded()), title: title) }
}
