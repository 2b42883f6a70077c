import GraphKit

/// A text and when it is shown, in milliseconds.
struct Subtitle: Equatable {
  var start: Int
  var end: Int
  var text: String
}

/// A file of subtitles: SubRip (SRT), WebVTT (W3C), or a script of ASS or SSA.
struct SubtitleFile {
  /// The texts in the order of their times; no two are shown at once.
  private(set) var subtitles: [Subtitle] = []
  /// What a person should know of the file.
  private(set) var warnings: [String] = []

  /// Bytes of a file at most: a film has a hundredth of it.
  private static let largestFile = 16 << 20

  init(_ path: String) throws(NodeError) {
    let found = try Self.parse(try Self.text(of: path), path)
    let shown = found.filter { $0.end > $0.start }
    guard !shown.isEmpty else { throw Self.isEmpty(path) }
    subtitles = try Self.apart(shown, path)
    guard let first = found.first(where: { $0.end <= $0.start }) else { return }
    let count = found.count - shown.count
    let time = MediaTime(value: Int64(first.start), timescale: 1_000)
    warnings.append(
      count == 1
        ? "the text of `\(path)` at \(time) isn't shown: it ends no later than it begins"
        : "\(count) texts of `\(path)`, the first at \(time), aren't shown: they end no later than "
          + "they begin")
  }

  private static func isEmpty(_ path: String) -> NodeError {
    NodeError(
      "`\(path)` holds no subtitles", remedy: "give an SRT, WebVTT or ASS file", key: "path")
  }

  /// The text of a file, without the mark that says how it is encoded.
  static func text(of path: String) throws(NodeError) -> Substring {
    let file = try InputFile(path)
    guard !isMovie(try file.bytes(at: 0, count: min(512, file.byteCount))) else {
      throw NodeError(
        "`\(path)` is a movie, and no file of subtitles",
        remedy: "read its texts with `file`, which has a port `text` for them", key: "path")
    }
    guard file.byteCount <= Self.largestFile else {
      throw NodeError(
        "`\(path)` has \(file.byteCount) bytes, and a file of subtitles at most "
          + "\(Self.largestFile)", remedy: "give a file of subtitles", key: "path")
    }
    let bytes = try file.bytes(at: 0, count: file.byteCount)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw NodeError(
        "`\(path)` is not in UTF-8", remedy: "convert it, for example with `iconv -t UTF-8`",
        key: "path")
    }
    return text.unicodeScalars.first == "\u{feff}" ? text.dropFirst() : text[...]
  }

  /// Whether a file that begins so is one of the usual containers: MP4 and QuickTime, Matroska and WebM,
  /// Ogg, AVI, or a transport stream.
  private static func isMovie(_ start: [UInt8]) -> Bool {
    func has(_ letters: String, at place: Int) -> Bool {
      start.dropFirst(place).starts(with: letters.utf8)
    }
    let isStream = [0, 188, 376].allSatisfy { $0 < start.count && start[$0] == 0x47 }
    return start.first == 0 && ["ftyp", "moov", "mdat", "wide"].contains { has($0, at: 4) }
      || start.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) || has("OggS", at: 0)
      || has("RIFF", at: 0) && has("AVI ", at: 8) || isStream
  }

  /// The texts of a file, as they are in it, also those that end before they begin.
  static func parse(_ text: Substring, _ path: String) throws(NodeError) -> [Subtitle] {
    let found =
      try ASSScript.isScript(text) ? ASSScript(text, path).subtitles : cues(text, path)
    guard !found.isEmpty else { throw isEmpty(path) }
    return found
  }

  private static func cues(_ text: Substring, _ path: String) throws(NodeError) -> [Subtitle] {
    let isWebVTT = text.hasPrefix("WEBVTT")
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let reader = isWebVTT ? CueLines.webVTT : .subRip(isNumbered: isNumbered(lines))
    var (found, index) = ([Subtitle](), 0)
    while index < lines.count {
      guard lines[index].contains("-->") else {
        index += 1
        continue
      }
      guard let (start, end) = times(lines[index]) else {
        throw NodeError(
          "line \(index + 1) of `\(path)` has no times: `\(lines[index])`",
          remedy: "write them as 00:01:02,500 --> 00:01:04,000", key: "path")
      }
      let (content, count) = reader.content(lines[(index + 1)...])
      let shown = SubtitleText.plain(content.joined(separator: "\n"), isMarkup: true)
      if !shown.isEmpty {
        let text = isWebVTT ? shown : SubtitleText.withoutBraces(shown)
        found.append(Subtitle(start: start, end: end, text: text))
      }
      index += 1 + count
    }
    return found
  }

  /// Whether the first text has a number before its times.
  private static func isNumbered(_ lines: [Substring]) -> Bool {
    let head = lines.prefix { times($0) == nil }
    return head.last { !$0.isBlank }?.isNumber ?? false
  }

  /// The times of a line that has them.
  fileprivate static func times(_ line: Substring) -> (start: Int, end: Int)? {
    guard let arrow = line.firstRange(of: "-->") else { return nil }
    let words = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace)
    guard let start = time(line[..<arrow.lowerBound].filter { !$0.isWhitespace }[...]),
      let end = words.first.flatMap(time)
    else { return nil }
    return (start, end)
  }

  /// Milliseconds of hours, which may be missing, minutes and seconds.
  static func time(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last else { return nil }
    let seconds = last.split(whereSeparator: { $0 == "," || $0 == "." })
    let whole = (parts.dropLast() + seconds.prefix(1)).map { UInt16($0) }
    guard (1...2).contains(seconds.count), !whole.contains(nil) else { return nil }
    let decimals = seconds.count == 2 ? String((seconds[1] + "000").prefix(3)) : "0"
    guard let milliseconds = UInt16(decimals) else { return nil }
    return whole.reduce(0) { $0 * 60 + Int($1 ?? 0) } * 1_000 + Int(milliseconds)
  }

  /// The same with those that are shown at once as one text, a line each, for as long as they are.
  static func apart(
    _ subtitles: [Subtitle], _ path: String
  ) throws(NodeError) -> [Subtitle] {
    let sorted = subtitles.enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }.map(\.element)
    var (overlaps, apart) = (TextOverlaps(), [Subtitle]())
    for subtitle in sorted {
      for shown in overlaps.add(ShownText(subtitle)) { apart.append(upTo: Subtitle(shown)) }
      guard !overlaps.isOverfull else {
        throw NodeError(
          "`\(path)` shows more than \(TextOverlaps.most) texts at once, "
            + "\(subtitle.start / 1_000) s after the beginning",
          remedy: "look whether their times are right", key: "path")
      }
    }
    for shown in overlaps.finish() { apart.append(upTo: Subtitle(shown)) }
    return apart
  }
}

extension ShownText {
  fileprivate init(_ subtitle: Subtitle) {
    self.init(
      start: Int64(subtitle.start) * 1_000_000, end: Int64(subtitle.end) * 1_000_000,
      text: subtitle.text)
  }
}

extension Subtitle {
  fileprivate init(_ shown: ShownText) {
    self.init(
      start: Int(shown.start / 1_000_000), end: Int(shown.end / 1_000_000), text: shown.text)
  }
}

extension [Subtitle] {
  /// Adds one, until which the last is shown.
  fileprivate mutating func append(upTo new: Subtitle) {
    if let last = indices.last { self[last].end = Swift.min(self[last].end, new.start) }
    if let last, last.end <= last.start { removeLast() }
    append(new)
  }
}

/// Which lines after a line of times are its text.
private enum CueLines {
  /// An empty line ends a text (WebVTT, 4.1).
  case webVTT
  /// A text goes on to the times of the next, before which is a number where the first text has one.
  case subRip(isNumbered: Bool)

  /// The text, and how many of the lines are passed with it.
  func content(_ lines: ArraySlice<Substring>) -> (text: [Substring], count: Int) {
    switch self {
    case .webVTT:
      let text = lines.prefix { !$0.isBlank && SubtitleFile.times($0) == nil }
      return (Array(text), text.count)
    case .subRip(let isNumbered):
      var afterBlank = false
      // Times that can't be read aren't text after an empty line.
      let all = lines.prefix { line in
        defer { afterBlank = afterBlank || line.isBlank }
        return SubtitleFile.times(line) == nil && !(afterBlank && line.contains("-->"))
      }
      var text = all.filter { !$0.isBlank }
      // The number of the next; at the end of a file that was cut off, after an empty line.
      let isNext = all.endIndex < lines.endIndex || all.endsInParagraph
      if isNumbered, isNext, text.last?.isNumber == true { text.removeLast() }
      return (text, all.count)
    }
  }
}

extension ArraySlice<Substring> {
  /// Whether the last line that isn't empty comes after an empty one.
  fileprivate var endsInParagraph: Bool {
    guard let last = lastIndex(where: { !$0.isBlank }), last > startIndex else { return false }
    return self[last - 1].isBlank
  }
}

extension Substring {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// Whether it is a number alone.
  fileprivate var isNumber: Bool {
    !isBlank && allSatisfy { $0.isNumber || $0.isWhitespace }
  }
}
