import GraphKitSystem

/// Reads what Matroska and WebM files say of their tracks (RFC 9559, 5.1.4.1).
package enum MatroskaLabels {
  /// The labels of a file's tracks, by their numbers; none where it is no such file, or describes them
  /// after the media. `start` is the file's beginning.
  package static func read(_ file: File, _ start: [UInt8]) -> [Int: TrackLabel] {
    guard start.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) else { return [:] }
    var walk = LabelWalk(file: file)
    return (try? walk.labels()) ?? [:]
  }
}

private struct LabelWalk {
  private static let longestName = 1 << 12
  private var elements: EBMLElements
  private var found: [Int: TrackLabel] = [:]
  private var number: Int?
  private var label = TrackLabel()
  /// How many elements are looked at yet: a file may have them without end.
  private var left = 100_000

  init(file: File) { elements = EBMLElements(file: file) }

  mutating func labels() throws(File.Failure) -> [Int: TrackLabel] {
    while left > 0, let element = try elements.next() {
      left -= 1
      // Segment, Tracks: what is in them comes next. Cluster: the media.
      if element.id == 0x1f43_b675 { break }
      if element.id == 0x1853_8067 || element.id == 0x1654_ae6b {
        elements.offset = element.start
        continue
      }
      guard let end = element.end, end <= elements.size else { break }
      // TrackEntry
      if element.id == 0xae { try takeEntry(element.start, end) }
      elements.offset = end
    }
    return found
  }

  private mutating func takeEntry(_ start: Int, _ limit: Int) throws(File.Failure) {
    (number, label) = (nil, TrackLabel())
    elements.offset = start
    while left > 0, elements.offset < limit, let element = try elements.next(),
      let end = element.end, end <= limit
    {
      left -= 1
      try take(element)
      elements.offset = end
    }
    if let number { found[number] = label }
  }

  private mutating func take(_ element: EBMLElements.Element) throws(File.Failure) {
    switch element.id {
    // TrackNumber, Name, FlagDefault, FlagForced
    case 0xd7: number = try elements.number(element)
    case 0x536e:
      let name = try elements.text(element, limit: Self.longestName)
      label.name = name.isEmpty ? nil : name
    case 0x88: label.isDefault = try elements.number(element) != 0
    case 0x55aa: label.isForced = try elements.number(element) != 0
    default: break
    }
  }
}
