import GraphKitSystem
import Media

/// What GStreamer's muxer (1.22) doesn't get right of Matroska files, put right in files that are
/// finished. No byte is moved; what files say of themselves is written after what the muxer wrote.
public enum MatroskaRepair {
  /// Puts texts of tags right, which it writes as they are in caps, in quotation marks and with numbers
  /// for what isn't ASCII; completes the configurations of AV1 by the first frames; and ends chapters
  /// where the file ends, without those from after that.
  ///
  /// A file that isn't finished, or that it didn't write, stays as it is.
  ///
  /// `preSkips` has by the numbers of tracks how many samples at 48 kHz players skip of Opus, where its
  /// header says none; `labels` has what else is known of tracks. Other names than those are left
  /// out, and a track without a language isn't English (RFC 9559, 5.1.4.1.19). A file that isn't to be dated
  /// loses its time, so that it depends on what is in it alone, as do the numbers that the muxer draws by
  /// chance.
  package static func mend(
    _ path: String, preSkips: [Int: Int], labels: [Int: TrackLabel] = [:],
    tags: MatroskaTags? = nil, isDated: Bool = true
  ) throws(NodeError) {
    do throws(File.Failure) {
      let file = try File(path, for: .changing)
      var mender = MatroskaMender(file, preSkips)
      mender.labels = labels
      mender.identity.isDated = isDated
      try mender.mend()
      guard let tags else { return }
      var writer = MatroskaTagWriter(file)
      try writer.write(tags)
    } catch {
      // A pipe has gone on by now.
      guard error.code != 0 else { return }
      throw NodeError(
        "the finished `\(path)` can't be completed: \(error.text)",
        remedy: "look what else uses the file, and run again")
    }
  }
}

private struct MatroskaMender {
  private let file: File
  private var elements: EBMLElements
  /// The track that is described, and its codec.
  private var track = 0
  private var codec = ""
  /// Where the configurations of tracks are that aren't complete yet.
  private var configurations: [Int: Int] = [:]

  /// How long the file is, in nanoseconds, and where the chapter begins that is looked at.
  private var duration: Int?
  private var chapter: Int?

  private let preSkips: [Int: Int]

  /// What is known of tracks, by their numbers.
  var labels: [Int: TrackLabel] = [:]
  /// What the elements are named instead that the muxer names by chance.
  var identity = MatroskaIdentity()

  init(_ file: File, _ preSkips: [Int: Int]) {
    (self.file, self.preSkips, elements) = (file, preSkips, EBMLElements(file: file))
  }

  /// Segment, Info, Tracks, TrackEntry, Cluster, BlockGroup; Tags, Tag and SimpleTag; Chapters,
  /// Targets; EditionEntry and ChapterAtom.
  private static let masters: Set<Int> = [
    0x1853_8067, 0x1549_a966, 0x1654_ae6b, 0xae, 0x1f43_b675, 0xa0, 0x1254_c367, 0x7373, 0x67c8,
    0x63c0, 0x1043_a770, 0x45b9, 0xb6,
  ]

  mutating func mend() throws(File.Failure) {
    while true {
      let place = elements.offset
      guard let element = try elements.next() else { return }
      if element.id == 0xb6 { chapter = place }
      if element.id == 0x1f43_b675, configurations.isEmpty, let end = element.end {
        elements.offset = end
        continue
      }
      if Self.masters.contains(element.id) {
        if element.id == 0xae { try describe(element) }
        elements.offset = element.start
        continue
      }
      guard let end = element.end, end <= elements.size else { return }
      try take(element)
      try identify(element, at: place)
      elements.offset = end
    }
  }

  /// Has the description of a track say what is known of it.
  private mutating func describe(_ entry: EBMLElements.Element) throws(File.Failure) {
    var description = MatroskaTrackEntry()
    try description.read(entry, &elements)
    let changes = description.changes(labels: labels, &identity)
    for (place, bytes) in changes { try file.write(bytes, at: place) }
    if !changes.isEmpty { elements.forget() }
  }

  /// Gives an element another number, or leaves it out.
  private mutating func identify(
    _ element: EBMLElements.Element, at place: Int
  ) throws(File.Failure) {
    guard identity.replaces(element.id), let end = element.end, end - place < 64 else { return }
    let bytes = try elements.bytes(at: place, count: end - place)
    let new = identity.replacement(of: bytes, element.id, head: element.start - place)
    try file.write(new, at: place)
  }

  private mutating func take(_ element: EBMLElements.Element) throws(File.Failure) {
    switch element.id {
    // TrackNumber, CodecID, CodecPrivate
    case 0xd7: track = try elements.number(element)
    case 0x86: codec = try elements.text(element)
    case 0x63a2: try takePrivate(element)
    // Duration
    case 0x4489: duration = try length(element)
    // ChapterTimeStart, ChapterTimeEnd
    case 0x91: try leaveOutAfterEnd(try elements.number(element))
    case 0x92: try end(element)
    // SimpleBlock, Block
    case 0xa3, 0xa1: try configure(by: element)
    // TagString
    case 0x4487: try unwrap(element)
    default: break
    }
  }

  /// The file's length, which the muxer writes in milliseconds, as floating point of eight bytes; in
  /// nanoseconds.
  private mutating func length(_ element: EBMLElements.Element) throws(File.Failure) -> Int? {
    let bits = try elements.number(element)
    guard element.end == element.start + 8 else { return nil }
    let length = Double(bitPattern: UInt64(bits))
    return length > 0 && length < 1e12 ? Int(length * 1e6) : nil
  }

  /// Makes a chapter from after the end an element that says nothing (RFC 8794, 11.3.2).
  private func leaveOutAfterEnd(_ start: Int) throws(File.Failure) {
    guard let duration, let chapter, start >= duration else { return }
    try file.write([0xec], at: chapter)
  }

  /// Ends a chapter with the file at the latest.
  private mutating func end(_ element: EBMLElements.Element) throws(File.Failure) {
    guard let duration, chapter != nil, let end = element.end,
      try elements.number(element) > duration
    else { return }
    let bytes = EBML.bytes(of: duration, count: end - element.start)
    try file.write(bytes, at: element.start)
  }

  private mutating func takePrivate(_ element: EBMLElements.Element) throws(File.Failure) {
    if codec == "V_AV1" { configurations[track] = element.start }
    // `OpusHead` (RFC 7845, 5.1), which has the samples to skip in two bytes, the lower one first.
    guard codec == "A_OPUS", let count = preSkips[track].flatMap({ UInt16(exactly: $0) }),
      case let head = try elements.bytes(at: element.start, count: 12),
      head.count == 12, head.starts(with: "OpusHead".utf8), head[10] == 0, head[11] == 0
    else { return }
    try file.write([UInt8(count & 0xff), UInt8(count >> 8)], at: element.start + 10)
  }

  /// Has a configuration say what the first frame does.
  private mutating func configure(by block: EBMLElements.Element) throws(File.Failure) {
    guard !configurations.isEmpty, let end = block.end else { return }
    let bytes = try file.read(at: block.start, count: min(end - block.start, 4_096))
    guard let number = EBML.number(bytes, 0),
      let place = configurations.removeValue(forKey: number.value), number.end + 3 <= bytes.count,
      let configuration = AV1Configuration(inSample: Array(bytes[(number.end + 3)...]))
    else { return }
    try file.write(Array(configuration.bytes.prefix(4)), at: place)
  }

  /// Takes a text out of its quotation marks; zeros fill the room that this leaves (RFC 8794, 13).
  private mutating func unwrap(_ element: EBMLElements.Element) throws(File.Failure) {
    guard let end = element.end, end - element.start < 1 << 20 else { return }
    let bytes = try file.read(at: element.start, count: end - element.start)
    guard let text = Self.unwrapped(bytes.prefix { $0 != 0 }) else { return }
    try file.write(text + [UInt8](repeating: 0, count: bytes.count - text.count), at: element.start)
  }

  /// A text as `gst_value_serialize` wraps it, as it was; `nil` of any other.
  private static func unwrapped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return nil }
    var (text, rest) = ([UInt8](), bytes.dropFirst().dropLast())
    while let byte = rest.popFirst() {
      guard byte == 0x5c else {
        text.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      if digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
        text.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }))
        rest = rest.dropFirst(3)
      } else if let next = rest.popFirst() {
        text.append(next)
      }
    }
    return text
  }
}
