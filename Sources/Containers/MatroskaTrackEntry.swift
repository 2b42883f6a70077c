import GraphKitSystem

/// The description of a track as GStreamer's muxer (1.22) writes it, and what takes the place of some of
/// its elements: of its number by chance, of eight bytes, and of a name that is none.
struct MatroskaTrackEntry {
  private struct Part {
    var place = 0
    var bytes: [UInt8] = []
    var head = 0
    var contents: ArraySlice<UInt8> { bytes[head...] }

    /// The element with another text; `nil` where there is none, or no room for it.
    func renamed(_ text: String?) -> [UInt8]? {
      guard let text, text.utf8.count <= contents.count else { return nil }
      let rest = contents.count - text.utf8.count
      return bytes[..<head] + Array(text.utf8) + [UInt8](repeating: 0, count: rest)
    }
  }

  private var number = 0
  private var identifier: Part?
  private var name: Part?
  private var hasLanguage = false

  /// Reads the elements that it is made of.
  mutating func read(
    _ entry: EBMLElements.Element, _ elements: inout EBMLElements
  ) throws(File.Failure) {
    guard let limit = entry.end, limit <= elements.size else { return }
    elements.offset = entry.start
    while elements.offset < limit {
      let place = elements.offset
      guard let element = try elements.next(), let end = element.end, end <= limit else { return }
      if element.id == 0xd7 { number = try elements.number(element) }
      // TrackUID, Name, Language
      if [0x73c5, 0x536e, 0x22b59c].contains(element.id), end - place < 1 << 16 {
        let bytes = try elements.bytes(at: place, count: end - place)
        let part = Part(place: place, bytes: bytes, head: element.start - place)
        if element.id == 0x73c5 { identifier = part }
        if element.id == 0x536e { name = part }
      }
      if element.id == 0x22b59c { hasLanguage = true }
      elements.offset = end
    }
  }

  /// What is written, by its place: no byte is moved.
  func changes(
    labels: [Int: TrackLabel], _ identity: inout MatroskaIdentity
  ) -> [(place: Int, bytes: [UInt8])] {
    let label = labels[number] ?? TrackLabel()
    var missing: [[UInt8]] = []
    // FlagDefault, FlagForced, Language
    if !label.isDefault { missing.append([0x88, 0x81, 0]) }
    if label.isForced { missing.append([0x55, 0xaa, 0x81, 1]) }
    if !hasLanguage { missing.append([0x22, 0xb5, 0x9c, 0x83] + Array("und".utf8)) }
    var changes: [(place: Int, bytes: [UInt8])] = []
    if let name, isMadeUp(name, label) {
      let bytes = name.renamed(label.name) ?? Self.fill(name.bytes.count, with: &missing)
      changes.append((name.place, bytes))
    }
    if let identifier, identifier.head == 3 {
      let number = identity.number(of: Array(identifier.contents))
      changes.append((identifier.place, Self.fill(identifier, number, with: &missing)))
    }
    return changes
  }

  /// Whether a name isn't what is known of the track.
  private func isMadeUp(_ name: Part, _ label: TrackLabel) -> Bool {
    label.name != String(decoding: name.contents.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Elements that so many bytes have room for, and nothing after them.
  private static func fill(_ count: Int, with missing: inout [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for element in missing where bytes.count + element.count <= count - 2 {
      bytes += element
      missing.removeAll { $0 == element }
    }
    return bytes + MatroskaIdentity.nothing(count - bytes.count)
  }

  /// Elements in front of a number that is small now, and takes the bytes that they leave.
  private static func fill(
    _ identifier: Part, _ number: Int, with missing: inout [[UInt8]]
  ) -> [UInt8] {
    var (bytes, width) = ([UInt8](), identifier.contents.count)
    for element in missing where width - element.count >= 1 {
      bytes += element
      width -= element.count
    }
    return bytes + [0x73, 0xc5, UInt8(0x80 | width)] + EBML.bytes(of: number, count: width)
  }
}
