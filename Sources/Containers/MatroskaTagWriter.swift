import GraphKitSystem

/// Writes what a finished Matroska file of GStreamer's muxer (1.22) says of itself after its end, and
/// leaves out what the muxer wrote of it: that has fewer names, and takes titles for those of tracks.
///
/// What was there stays until the new is written. A file without an end, such as a pipe, stays as it is.
struct MatroskaTagWriter {
  private let file: File
  private var elements: EBMLElements
  /// The segment's contents, and what of it is looked for.
  private var segment: Range<Int>?
  private var seekHead: Range<Int>?
  private var tags: Range<Int>?
  private var uids: [Int: Int] = [:]

  init(_ file: File) { (self.file, elements) = (file, EBMLElements(file: file)) }

  /// The identifiers of SeekHead, Tracks, Tags and Attachments.
  private static let (seekHeadID, tracksID) = (0x114d_9b74, 0x1654_ae6b)
  private static let (tagsID, attachmentsID) = (0x1254_c367, 0x1941_a469)

  /// Writes them in place of those that are there.
  mutating func write(_ new: MatroskaTags) throws(File.Failure) {
    try find()
    guard let segment, let seekHead, segment.upperBound == elements.size else { return }
    let (attachments, written) = (new.attachments, new.element(uids: uids, more: try chapterTags()))
    guard !written.isEmpty || !attachments.isEmpty || tags != nil else { return }
    let start = elements.size - segment.lowerBound
    var places: [Int: Int] = [:]
    if !attachments.isEmpty { places[Self.attachmentsID] = start }
    if !written.isEmpty { places[Self.tagsID] = start + attachments.count }
    let slots = try slots(in: seekHead)
    var list: [UInt8] = []
    if !slots.haveRoom(for: places.count) {
      list = Self.list(of: places)
      places = [Self.seekHeadID: start + attachments.count + written.count]
    }
    let added = attachments + written + list
    try append(added, at: elements.size)
    try file.write(Self.length(start + added.count), at: segment.lowerBound - 8)
    for (place, entry) in slots.entries(for: places) { try file.write(entry, at: place) }
    if let tags { try file.write([0xec] + Self.length(tags.count - 9), at: tags.lowerBound) }
  }

  /// A length of eight bytes.
  private static func length(_ count: Int) -> [UInt8] { [1] + EBML.bytes(of: count, count: 7) }

  /// Writes after the end; a disk that is full leaves the file as it was.
  private func append(_ bytes: [UInt8], at end: Int) throws(File.Failure) {
    do throws(File.Failure) { try file.write(bytes, at: end) } catch {
      try? file.truncate(to: end)
      throw error
    }
  }

  // MARK: What is there

  private mutating func find() throws(File.Failure) {
    while case let place = elements.offset, let element = try elements.next() {
      guard let end = element.end, end <= elements.size else { return }
      switch element.id {
      case 0x1853_8067:
        guard element.start - place == 12 else { return }
        segment = element.start..<end
        elements.offset = element.start
        continue
      case Self.seekHeadID: seekHead = element.start..<end
      case Self.tracksID: try readTracks(element.start..<end)
      case Self.tagsID: if end - place >= 9 { tags = place..<end }
      default: break
      }
      elements.offset = end
    }
  }

  /// Reads the numbers of tracks and their identifiers.
  private mutating func readTracks(_ range: Range<Int>) throws(File.Failure) {
    var number = 0
    elements.offset = range.lowerBound
    while elements.offset < range.upperBound, let element = try elements.next() {
      guard let end = element.end, end <= range.upperBound else { return }
      switch element.id {
      case 0xae:
        elements.offset = element.start
        continue
      case 0xd7: number = try elements.number(element)
      case 0x73c5: uids[number] = try elements.number(element)
      default: break
      }
      elements.offset = end
    }
  }

  /// The `Tag` elements of chapters and editions, as they are.
  private mutating func chapterTags() throws(File.Failure) -> [[UInt8]] {
    guard let tags else { return [] }
    var found: [[UInt8]] = []
    elements.offset = tags.lowerBound
    guard let all = try elements.next() else { return [] }
    elements.offset = all.start
    while case let place = elements.offset, place < tags.upperBound,
      let element = try elements.next()
    {
      guard let end = element.end, end <= tags.upperBound else { break }
      if element.id == 0x7373, end - place < 1 << 20, try isOfChapter(element.start..<end) {
        found.append(try file.read(at: place, count: end - place))
      }
      elements.offset = end
    }
    return found
  }

  private mutating func isOfChapter(_ tag: Range<Int>) throws(File.Failure) -> Bool {
    elements.offset = tag.lowerBound
    while elements.offset < tag.upperBound, let element = try elements.next() {
      guard let end = element.end else { return false }
      // TagChapterUID, TagEditionUID
      if [0x63c4, 0x63c9].contains(element.id) { return true }
      elements.offset = element.id == 0x63c0 ? element.start : end
    }
    return false
  }

  // MARK: Places

  /// The entries of the file's list of places, as the muxer writes them.
  private struct Slots {
    static let length = 28

    /// Of what is written anew, or of nothing that there is.
    var free: [Int] = []

    func haveRoom(for count: Int) -> Bool { count <= free.count }

    /// What is written into them, by its place.
    func entries(for places: [Int: Int]) -> [(place: Int, bytes: [UInt8])] {
      let new = places.sorted { $0.key < $1.key }.map { MatroskaTagWriter.entry($0.key, $0.value) }
      return free.enumerated().map { index, place in
        (place, index < new.count ? new[index] : MatroskaIdentity.nothing(Self.length))
      }
    }
  }

  private mutating func slots(in seekHead: Range<Int>) throws(File.Failure) -> Slots {
    var slots = Slots()
    elements.offset = seekHead.lowerBound
    while case let place = elements.offset, place < seekHead.upperBound,
      let element = try elements.next()
    {
      guard let end = element.end, end <= seekHead.upperBound else { break }
      if end - place == Slots.length, try isFree(element) { slots.free.append(place) }
      elements.offset = end
    }
    return slots
  }

  private mutating func isFree(_ entry: EBMLElements.Element) throws(File.Failure) -> Bool {
    guard entry.id == 0x4dbb else { return entry.id == 0xec }
    elements.offset = entry.start
    guard let id = try elements.next(), id.id == 0x53ab else { return false }
    return try elements.number(id) == Self.tagsID
  }

  /// `SeekHead` of what is after the end.
  private static func list(of places: [Int: Int]) -> [UInt8] {
    let entries = places.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) }
    return EBML.element(seekHeadID, Array(entries.joined()))
  }

  /// `Seek` with `SeekID` and `SeekPosition`.
  private static func entry(_ id: Int, _ position: Int) -> [UInt8] {
    EBML.element(
      0x4dbb,
      [0x53, 0xab, 0x84] + EBML.bytes(of: id, count: 4) + [0x53, 0xac, 0x88]
        + EBML.bytes(of: position, count: 8))
  }
}
