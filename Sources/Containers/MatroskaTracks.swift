import GraphKitSystem
import Media

/// What Matroska and WebM files say of their tracks (RFC 9559, 5.1.4.1), by these' numbers.
package struct MatroskaTracks {
  /// The labels of all.
  package fileprivate(set) var labels: [Int: TrackLabel] = [:]
  /// The languages of those that have one, as they are in the file.
  package fileprivate(set) var languages: [Int: String] = [:]
  /// How texts are stored.
  package fileprivate(set) var textFormats: [Int: TextFormat] = [:]
  /// How the file is read, so that GStreamer's reader knows all tracks of text; `nil` where it does.
  package fileprivate(set) var reading: StreamEdit?
  /// The times of the frames of video whose rate is stated.
  package fileprivate(set) var frameGrids: [Int: FrameGrid] = [:]
  /// The lines in front of each text, of tracks of WebVTT.
  package fileprivate(set) var webVTTHeads: [Int: Int] = [:]

  /// The tracks of a file; none where it is no such file, or describes them after the media. `start` is
  /// the file's beginning.
  package init(_ file: File, _ start: [UInt8]) {
    guard start.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) else { return }
    var walk = TrackWalk(file: file)
    if let found = try? walk.tracks() { self = found }
  }

  fileprivate init() {}
}

private struct TrackWalk {
  private static let longestName = 1 << 12
  private var elements: EBMLElements
  private var found = MatroskaTracks()
  private var number: Int?
  private var label = TrackLabel()
  private var codec: (name: String, place: Range<Int>)?
  /// TrackType, and DefaultDuration in nanoseconds.
  private var (kind, frameDuration) = (0, 0)
  /// That of each track of video.
  private var frameDurations: [Int: Int] = [:]
  /// TimestampScale: what times are multiples of, in nanoseconds.
  private var unit = 1_000_000
  /// By its three letters, and by a tag of BCP 47, which counts where there is one.
  private var language: (letters: String?, tag: String?)
  /// How many elements are looked at yet: a file may have them without end.
  private var left = 100_000

  init(file: File) { elements = EBMLElements(file: file) }

  mutating func tracks() throws(File.Failure) -> MatroskaTracks {
    while left > 0, let element = try elements.next() {
      left -= 1
      // Segment, Info, Tracks: what is in them comes next. Cluster: the media.
      if element.id == 0x1f43_b675 { break }
      if [0x1853_8067, 0x1549_a966, 0x1654_ae6b].contains(element.id) {
        elements.offset = element.start
        continue
      }
      guard let end = element.end, end <= elements.size else { break }
      // TimestampScale, TrackEntry
      if element.id == 0x2ad7b1 { unit = try elements.number(element) }
      if element.id == 0xae { try takeEntry(element.start, end) }
      elements.offset = end
    }
    found.frameGrids = frameDurations.compactMapValues {
      FrameGrid(frameDuration: $0, unit: unit)
    }
    return found
  }

  private mutating func takeEntry(_ start: Int, _ limit: Int) throws(File.Failure) {
    (number, label, codec, language) = (nil, TrackLabel(), nil, (nil, nil))
    (kind, frameDuration) = (0, 0)
    elements.offset = start
    while left > 0, elements.offset < limit, let element = try elements.next(),
      let end = element.end, end <= limit
    {
      left -= 1
      try take(element)
      elements.offset = end
    }
    guard let number else { return }
    found.labels[number] = label
    found.languages[number] = language.tag ?? language.letters
    found.textFormats[number] = codec.flatMap { TextFormat(matroska: $0.name) }
    if kind == 1 { frameDurations[number] = frameDuration }
    if let codec { found.take(codec.name, at: codec.place, of: number) }
  }

  private mutating func take(_ element: EBMLElements.Element) throws(File.Failure) {
    switch element.id {
    // TrackNumber, TrackType, DefaultDuration, Name, FlagDefault, FlagForced, Language, LanguageBCP47,
    // CodecID
    case 0xd7: number = try elements.number(element)
    case 0x83: kind = try elements.number(element)
    case 0x23e383: frameDuration = try elements.number(element)
    case 0x536e:
      let name = try elements.text(element, limit: Self.longestName)
      label.name = name.isEmpty ? nil : name
    case 0x88: label.isDefault = try elements.number(element) != 0
    case 0x55aa: label.isForced = try elements.number(element) != 0
    case 0x22b59c: language.letters = try self.language(element)
    case 0x22b59d: language.tag = try self.language(element)
    case 0x86:
      let name = try elements.text(element)
      codec = (name, element.start..<(element.end ?? element.start))
    default: break
    }
  }

  /// A language; `nil` where it is undetermined.
  private mutating func language(
    _ element: EBMLElements.Element
  ) throws(File.Failure) -> String? {
    let text = try elements.text(element, limit: 64)
    return text.isEmpty || text == "und" ? nil : text
  }
}

extension MatroskaTracks {
  /// The codec that GStreamer's reader (1.22) knows of texts: such as have tags.
  private static let knownText = Array("S_TEXT/UTF8".utf8)

  /// Takes the codec of a track. WebVTT is a codec of texts (RFC 9559's registry of codecs); in WebM, a text
  /// comes after a line with its name and one with its place ("WebVTT in WebM", webmproject.org).
  fileprivate mutating func take(_ codec: String, at place: Range<Int>, of number: Int) {
    let heads = ["S_TEXT/WEBVTT": 0, "D_WEBVTT/SUBTITLES": 2, "D_WEBVTT/CAPTIONS": 2]
    guard let head = heads[codec], place.count >= Self.knownText.count else { return }
    webVTTHeads[number] = head
    let filling = repeatElement(UInt8(0), count: place.count - Self.knownText.count)
    var reading = reading ?? StreamEdit(patches: [:])
    reading.patches[place.lowerBound] = Self.knownText + filling
    self.reading = reading
  }
}
