import Media

/// The tags of Ogg and FLAC files: `KEY=text` each (Vorbis I specification, 5).
struct VorbisComment: Sendable {
  /// The encoder, as it says itself.
  private var vendor = "GraphKit"
  private(set) var comments: [(key: String, text: String)] = []

  /// The tags of a file; of a copy, what its source's stream says besides stays.
  ///
  /// `kept` are the headers of that stream, of which one is the comments.
  init(_ tags: MovieTags, kept: [[UInt8]] = []) {
    comments = Self.names.compactMap { tag, key in
      tags.texts[tag].flatMap { $0.isEmpty ? nil : (key, $0) }
    }
    let known = Set(comments.map(\.key))
    for packet in kept {
      guard let found = Self.read(packet) else { continue }
      let isNew = { (key: String) in
        !known.contains(key) && (key != Self.pictureKey || tags.covers.isEmpty)
      }
      vendor = found.vendor
      comments += found.comments.filter { isNew($0.key) }
      break
    }
  }

  static let pictureKey = "METADATA_BLOCK_PICTURE"

  /// The keys of GStreamer's tags, those of the specification first.
  private static let names = [
    ("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("track-number", "TRACKNUMBER"),
    ("genre", "GENRE"), ("datetime", "DATE"), ("description", "DESCRIPTION"),
    ("copyright", "COPYRIGHT"), ("location", "LOCATION"), ("album-artist", "ALBUMARTIST"),
    ("composer", "COMPOSER"), ("track-count", "TRACKTOTAL"), ("album-disc-number", "DISCNUMBER"),
    ("album-disc-count", "DISCTOTAL"), ("comment", "COMMENT"), ("grouping", "GROUPING"),
    ("lyrics", "LYRICS"), ("application-name", "ENCODER"), ("language-code", "LANGUAGE"),
  ]

  /// Adds a picture, which isn't text and is written as such.
  mutating func add(_ picture: AttachedPicture) {
    comments.append((Self.pictureKey, FLACPicture.block(picture).base64))
  }

  /// As files have them, without what codecs put around them.
  var bytes: [UInt8] {
    var bytes = Self.counted(vendor)
    bytes += Self.number(comments.count)
    for comment in comments { bytes += Self.counted("\(comment.key)=\(comment.text)") }
    return bytes
  }

  private static func number(_ value: Int) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func counted(_ text: String) -> [UInt8] {
    number(text.utf8.count) + Array(text.utf8)
  }

  /// Reads the header of a stream that has comments: of Opus and Vorbis after some letters, of FLAC
  /// after the head of its block; `nil` for another.
  private static func read(
    _ packet: [UInt8]
  ) -> (vendor: String, comments: [(key: String, text: String)])? {
    let start: Int
    if packet.starts(with: "OpusTags".utf8) {
      start = 8
    } else if packet.starts(with: [3] + Array("vorbis".utf8)) {
      start = 7
    } else if let first = packet.first, first & 0x7f == 4 {
      start = 4
    } else {
      return nil
    }
    var rest = packet[start...]
    func take() -> Int? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let size = take(), size <= rest.count else { return nil }
    let vendor = String(decoding: rest.prefix(size), as: UTF8.self)
    rest = rest.dropFirst(size)
    guard let count = take() else { return nil }
    var found: [(String, String)] = []
    for _ in 0..<min(count, packet.count) {
      guard let size = take(), size <= rest.count else { break }
      let text = String(decoding: rest.prefix(size), as: UTF8.self)
      rest = rest.dropFirst(size)
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { found.append((parts[0].uppercased(), String(parts[1]))) }
    }
    return (vendor, found)
  }
}

extension [UInt8] {
  /// The bytes as text (RFC 4648, 4).
  var base64: String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(count / 3 * 4 + 4)
    for start in stride(from: 0, to: count, by: 3) {
      let part = self[start..<Swift.min(start + 3, count)]
      let word = (0..<3).reduce(0) { $0 << 8 | ($1 < part.count ? Int(part[start + $1]) : 0) }
      for index in 0..<4 {
        let isPadding = index > part.count
        text.append(isPadding ? UInt8(ascii: "=") : digits[word >> (18 - 6 * index) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
