import Media

/// What a movie says of itself: title, artist, and so on.
package struct MovieTags: Hashable, Sendable {
  /// The texts, by GStreamer's names of tags.
  package var texts: [String: String] = [:]
  /// The front cover that the graph gives, as PNG or JPEG files have it; empty for none.
  package var cover: [UInt8] = []
  /// The pictures of the streams.
  package var pictures: [AttachedPicture] = []

  package init() {}

  /// Bytes of their boxes at most.
  package var byteCount: Int {
    let count = pictures.reduce(1_024 + cover.count) { $0 + 64 + $1.bytes.count }
    return texts.reduce(count) { $0 + 64 + 2 * $1.value.utf8.count }
  }

  /// The names of tags that a movie has an item for, and the item's four letters; the first is a
  /// copyright sign in Mac OS Roman.
  package static let names: [(tag: String, item: String)] = [
    ("title", "nam"), ("artist", "ART"), ("album", "alb"), ("album-artist", "aART"),
    ("composer", "wrt"), ("genre", "gen"), ("comment", "cmt"), ("datetime", "day"),
    ("copyright", "cprt"), ("description", "desc"), ("grouping", "grp"), ("lyrics", "lyr"),
    ("application-name", "too"),
  ]

  /// All pictures of the file, the front cover first.
  package var covers: [AttachedPicture] {
    (cover.isEmpty ? [] : [AttachedPicture(cover)]) + otherPictures.frontCoverFirst
  }

  /// The streams' pictures beside that of the graph, which stands for their front cover, and for what they
  /// don't say more of.
  package var otherPictures: [AttachedPicture] {
    cover.isEmpty ? pictures : pictures.filter { $0.kind != 0 && !$0.isFrontCover }
  }

  private var items: [(type: [UInt8], text: String)] {
    Self.names.compactMap { tag, item in
      guard let text = texts[tag], !text.isEmpty else { return nil }
      let letters = Array(item.utf8)
      return (letters.count == 3 ? [0xa9] + letters : letters, text)
    }
  }

  /// A number of a row and how many there are, where either is known.
  private func place(_ name: String, _ countName: String) -> [Int]? {
    let numbers = [name, countName].map { texts[$0].flatMap { UInt16($0) }.map(Int.init) ?? 0 }
    return numbers == [0, 0] ? nil : numbers
  }

  /// Where it was recorded (ISO 6709): degrees north and east, and metres above the sea.
  private var location: String? {
    if let text = texts["location"] { return text }
    let places = ["geo-location-latitude", "geo-location-longitude", "geo-location-elevation"]
    let numbers = places.map { texts[$0].flatMap { Double($0) } }
    guard let latitude = numbers[0], let longitude = numbers[1], abs(latitude) <= 90,
      abs(longitude) <= 180
    else { return nil }
    let height = numbers[2].flatMap { abs($0) < 1e6 ? $0.signed(digits: 1, 3) : nil } ?? ""
    return latitude.signed(digits: 2, 4) + longitude.signed(digits: 3, 4) + height + "/"
  }
}

extension Double {
  /// A number with its sign and so many digits at least before the point, and after it.
  fileprivate func signed(digits: Int, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let units = Int((magnitude * scale).rounded())
    let (whole, rest) = ("\(units / Int(scale))", "\(units % Int(scale))")
    let zeros = String(repeating: "0", count: max(0, digits - whole.count))
    let more = String(repeating: "0", count: max(0, decimals - rest.count))
    return (self < 0 ? "-" : "+") + zeros + whole + "." + more + rest
  }
}

// MARK: Writing

extension MovieTags {
  /// Writes them as players know them: for MP4 iTunes' list of items, for QuickTime its user data
  /// (QuickTime File Format, "User Data Atoms" and "Metadata"); and the list of chapters that Nero
  /// wrote first.
  func write(to writer: inout BoxWriter, isQuickTime: Bool, chapters: [MovieChapter] = []) {
    let hasList = !items.isEmpty || numbers.contains { $0.value != nil } || !covers.isEmpty
    guard hasList || location != nil || !chapters.isEmpty else { return }
    writer.box("udta") { writer in
      if isQuickTime {
        for item in items where item.type[0] == 0xa9 {
          Self.write(item.text, as: item.type, &writer)
        }
      } else if hasList {
        writeList(to: &writer)
      }
      if let location { Self.write(location, as: [0xa9] + Array("xyz".utf8), &writer) }
      if !chapters.isEmpty { Self.write(chapters, to: &writer) }
    }
    if isQuickTime { writeKeys(to: &writer) }
  }

  private static func write(_ text: String, as type: [UInt8], _ writer: inout BoxWriter) {
    writer.box(type) { writer in
      let text = Array(text.utf8.prefix(0xffff))
      writer.write(text.count, bytes: 2)
      // No language, by its three letters: those that are numbered have old encodings.
      writer.write(0x55c4, bytes: 2)
      writer.write(text)
    }
  }

  /// The items of a movie's number in a row, and how many bytes each has.
  private var numbers: [(type: String, value: [Int]?, bytes: Int)] {
    [
      ("trkn", place("track-number", "track-count"), 8),
      ("disk", place("album-disc-number", "album-disc-count"), 6),
    ]
  }

  private func writeList(to writer: inout BoxWriter) {
    writer.fullBox("meta") { writer in
      writer.fullBox("hdlr") { writer in
        writer.writeZeros(4)
        writer.write("mdirappl")
        writer.writeZeros(9)
      }
      writer.box("ilst") { writer in
        for item in items { Self.item(item.type, kind: 1, Array(item.text.utf8), &writer) }
        for (type, value, size) in numbers {
          guard let value else { continue }
          let pairs = [0] + value + [0]
          let bytes = pairs.flatMap { [UInt8($0 >> 8 & 0xff), UInt8($0 & 0xff)] }
          Self.item(Array(type.utf8), kind: 0, bytes.prefix(size), &writer)
        }
        if !covers.isEmpty { writeCovers(to: &writer) }
      }
    }
  }

  private static func kind(of picture: AttachedPicture) -> Int {
    picture.bytes.first == 0x89 ? 14 : 13
  }

  /// Players show the first; what the others are can't be said.
  private func writeCovers(to writer: inout BoxWriter) {
    writer.box("covr") { writer in
      for picture in covers { Self.value(Self.kind(of: picture), picture.bytes, &writer) }
    }
  }

  private static func item(
    _ type: [UInt8], kind: Int, _ bytes: some Collection<UInt8>, _ writer: inout BoxWriter
  ) {
    writer.box(type) { writer in value(kind, bytes, &writer) }
  }

  /// An item's value, in no country's language; kind 1 is UTF-8.
  private static func value(
    _ kind: Int, _ bytes: some Collection<UInt8>, _ writer: inout BoxWriter
  ) {
    writer.box("data") { writer in
      writer.write(kind, bytes: 4)
      writer.write(0, bytes: 4)
      writer.write(bytes)
    }
  }

  /// What has a key of its own in QuickTime ("Metadata Item Keys Atom").
  private func writeKeys(to writer: inout BoxWriter) {
    var values: [(key: String, kind: Int, bytes: [UInt8])] = []
    if let location { values.append(("location.ISO6709", 1, Array(location.utf8))) }
    if let picture = covers.first {
      values.append(("artwork", Self.kind(of: picture), picture.bytes))
    }
    guard !values.isEmpty else { return }
    writer.box("meta") { writer in
      writer.fullBox("hdlr") { writer in
        writer.writeZeros(4)
        writer.write("mdta")
        writer.writeZeros(13)
      }
      writer.fullBox("keys") { writer in
        writer.write(values.count, bytes: 4)
        for value in values {
          let key = "com.apple.quicktime." + value.key
          writer.write(8 + key.utf8.count, bytes: 4)
          writer.write("mdta" + key)
        }
      }
      writer.box("ilst") { writer in
        for (index, value) in values.enumerated() {
          Self.item([0, 0, 0, UInt8(index + 1)], kind: value.kind, value.bytes, &writer)
        }
      }
    }
  }

  /// Times of chapters count in 100 ns; at most 255 of them, with titles of at most 255 bytes.
  static func write(_ chapters: [MovieChapter], to writer: inout BoxWriter) {
    writer.fullBox("chpl", version: 1) { writer in
      writer.writeZeros(4)
      writer.write(min(chapters.count, 255), bytes: 1)
      for chapter in chapters.sorted(by: { $0.start < $1.start }).prefix(255) {
        writer.write(chapter.start &* 10_000, bytes: 8)
        let title = MovieText.cut(chapter.title, to: 255)
        writer.write(title.count, bytes: 1)
        writer.write(title)
      }
    }
  }
}
