/// The tags in front of an MP3 file (ID3v2.4.0).
enum ID3Writer {
  /// The tag; no bytes where there is nothing to say.
  static func bytes(_ tags: MovieTags) -> [UInt8] {
    var frames: [UInt8] = []
    for (tag, name) in names {
      if let text = tags.texts[tag], !text.isEmpty { frames += self.text(name, text) }
    }
    for (tag, countTag, name) in numbers {
      guard let number = tags.texts[tag] else { continue }
      frames += text(name, tags.texts[countTag].map { "\(number)/\($0)" } ?? number)
    }
    for (tag, name) in remarks {
      guard let text = tags.texts[tag], !text.isEmpty else { continue }
      frames += frame(name, [utf8] + "und".utf8 + [0] + text.utf8)
    }
    for tag in ["description", "location"] {
      guard let text = tags.texts[tag], !text.isEmpty else { continue }
      frames += frame("TXXX", [utf8] + tag.utf8 + [0] + text.utf8)
    }
    for (index, picture) in tags.covers.enumerated() {
      // No two may have the same description.
      let description = index == 0 ? "" : "Picture \(index + 1)"
      let head = [0] + picture.mediaType.utf8 + [0, UInt8(picture.kind)] + description.utf8 + [0]
      frames += frame("APIC", head + picture.bytes)
    }
    guard !frames.isEmpty else { return [] }
    return Array("ID3".utf8) + [4, 0, 0] + size(frames.count) + frames
  }

  /// How texts are written.
  private static let utf8: UInt8 = 3

  private static let names = [
    ("title", "TIT2"), ("artist", "TPE1"), ("album", "TALB"), ("album-artist", "TPE2"),
    ("composer", "TCOM"), ("genre", "TCON"), ("datetime", "TDRC"), ("copyright", "TCOP"),
    ("grouping", "TIT1"), ("application-name", "TSSE"), ("language-code", "TLAN"),
  ]
  private static let numbers = [
    ("track-number", "track-count", "TRCK"), ("album-disc-number", "album-disc-count", "TPOS"),
  ]
  private static let remarks = [("comment", "COMM"), ("lyrics", "USLT")]

  private static func text(_ name: String, _ text: String) -> [UInt8] {
    frame(name, [utf8] + text.utf8)
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + size(content.count) + [0, 0] + content
  }

  /// Four times seven bits.
  private static func size(_ count: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: count >> $0) & 0x7f }
  }
}
