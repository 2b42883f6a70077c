/// A moment that was marked while a file was recorded.
public struct Mark: Sendable, Hashable {
  /// The sink that writes the file.
  public var node: String
  /// What the moment is called.
  public var title: String
  /// When it is, from the start of the run.
  public var time: MediaTime

  /// How many bytes of a title are kept, in UTF-8.
  public static let longestTitle = 1_024

  /// A title as marks have it, on one line and no longer than ``longestTitle``. Throws where
  /// nothing is left.
  static func title(_ text: String) throws(NodeError) -> String {
    var (title, byteCount) = ("", 0)
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      let isBlank = isControl || scalar.properties.isWhitespace
      guard !title.isEmpty || !isBlank else { continue }
      byteCount += isControl ? 1 : UTF8.width(scalar)
      guard byteCount <= longestTitle else { break }
      title.unicodeScalars.append(isControl ? " " : scalar)
    }
    while title.last?.isWhitespace == true { title.removeLast() }
    guard title.isEmpty else { return title }
    throw NodeError("the mark has no title", remedy: "say what it is called: \"goal\"")
  }
}

extension Mark: Codable {
  private enum Key: String, CodingKey { case node, title, time }

  /// Writes the time in seconds, to the nanosecond.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(node, forKey: .node)
    try container.encode(title, forKey: .title)
    try container.encode(time.isNumeric ? time.seconds : 0, forKey: .time)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    node = try container.decode(String.self, forKey: .node)
    title = try container.decode(String.self, forKey: .title)
    time = MediaTime(
      seconds: try container.decode(Double.self, forKey: .time),
      preferredTimescale: 1_000_000_000)
  }
}
