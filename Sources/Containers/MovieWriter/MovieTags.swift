/// What a movie says of itself: title, artist, and so on.
package struct MovieTags: Hashable, Sendable {
  /// The texts, by GStreamer's names of tags.
  package var texts: [String: String] = [:]

  package init() {}

  /// The names of tags that a movie has an item for, and the item's four letters; the first is a
  /// copyright sign in Mac OS Roman.
  package static let names: [(tag: String, item: String)] = [
    ("title", "nam"), ("artist", "ART"), ("album", "alb"), ("album-artist", "aART"),
    ("composer", "wrt"), ("genre", "gen"), ("comment", "cmt"), ("datetime", "day"),
    ("copyright", "cprt"), ("description", "desc"), ("grouping", "grp"), ("lyrics", "lyr"),
    ("application-name", "too"),
  ]

  private var items: [(type: [UInt8], text: String)] {
    Self.names.compactMap { tag, item in
      guard let text = texts[tag], !text.isEmpty else { return nil }
      let letters = Array(item.utf8)
      return (letters.count == 3 ? [0xa9] + letters : letters, text)
    }
  }

  /// Writes them as players know them: for MP4 iTunes' list of items, for QuickTime its user data
  /// (QuickTime File Format, "User Data Atoms" and "Metadata").
  func write(to writer: inout BoxWriter, isQuickTime: Bool) {
    let items = items
    guard !items.isEmpty else { return }
    writer.box("udta") { writer in
      guard !isQuickTime else {
        for item in items where item.type[0] == 0xa9 {
          writer.box(item.type) { writer in
            let text = Array(item.text.utf8.prefix(0xffff))
            writer.write(text.count, bytes: 2)
            // No language, by its three letters: those that are numbered have old encodings.
            writer.write(0x55c4, bytes: 2)
            writer.write(text)
          }
        }
        return
      }
      writer.fullBox("meta") { writer in
        writer.fullBox("hdlr") { writer in
          writer.writeZeros(4)
          writer.write("mdirappl")
          writer.writeZeros(9)
        }
        writer.box("ilst") { writer in
          for item in items {
            writer.box(item.type) { writer in
              writer.box("data") { writer in
                // UTF-8, in no country's language.
                writer.write(1, bytes: 4)
                writer.write(0, bytes: 4)
                writer.write(item.text)
              }
            }
          }
        }
      }
    }
  }
}
