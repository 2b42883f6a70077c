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

  /// Bytes of a file at most: a film has a hundredth of it.
  private static let largestFile = 16 << 20
  /// Texts that are shown at once at most.
  private static let mostShown = 1_000

  init(_ path: String) throws(NodeError) {
    let found = try Self.parse(try Self.text(of: path), path)
    subtitles = try Self.apart(found, path)
  }

  /// The text of a file, without the mark that says how it is encoded.
  static func text(of path: String) throws(NodeError) -> Substring {
    let file = try InputFile(path)
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

  /// The texts of a file, as they are in it.
  static func parse(_ text: Substring, _ path: String) throws(NodeError) -> [Subtitle] {
    let found =
      try ASSScript.isScript(text) ? ASSScript(text, path).subtitles : cues(text, path)
    guard !found.isEmpty else {
      throw NodeError(
        "`\(path)` holds no subtitles", remedy: "give an SRT, WebVTT or ASS file", key: "path")
    }
    return found
  }

  private static func cues(_ text: Substring, _ path: String) throws(NodeError) -> [Subtitle] {
    let isWebVTT = text.hasPrefix("WEBVTT")
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
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
      let content = content(lines[(index + 1)...], hasNumbers: !isWebVTT)
      let shown = SubtitleText.plain(content.joined(separator: "\n"), isMarkup: true)
      if end > start, !shown.isEmpty {
        let text = isWebVTT ? shown : SubtitleText.withoutBraces(shown)
        found.append(Subtitle(start: start, end: end, text: text))
      }
      index += 1 + content.count
    }
    return found
  }

  /// The lines of a text: up to an empty one, or the times of the next, before which SRT has a number.
  private static func content(
    _ lines: ArraySlice<Substring>, hasNumbers: Bool
  ) -> ArraySlice<Substring> {
    let content = lines.prefix { !$0.allSatisfy(\.isWhitespace) && times($0) == nil }
    let isCutShort = content.endIndex < lines.endIndex && times(lines[content.endIndex]) != nil
    let isNumber = content.last?.allSatisfy { $0.isNumber || $0.isWhitespace } ?? false
    return hasNumbers && isCutShort && isNumber ? content.dropLast() : content
  }

  private static func times(_ line: Substring) -> (start: Int, end: Int)? {
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
    var (apart, shown, time, next) = ([Subtitle](), [Subtitle](), 0, 0)
    while next < sorted.count || !shown.isEmpty {
      let end = shown.map(\.end).min() ?? .max
      let start = next < sorted.count ? sorted[next].start : .max
      let border = min(start, end)
      if !shown.isEmpty, border > time {
        apart.append(
          Subtitle(start: time, end: border, text: shown.map(\.text).joined(separator: "\n")))
      }
      time = border
      shown.removeAll { $0.end <= border }
      while next < sorted.count, sorted[next].start <= border {
        shown.append(sorted[next])
        next += 1
      }
      guard shown.count <= mostShown else {
        throw NodeError(
          "`\(path)` shows more than \(mostShown) texts at once, \(border / 1_000) s after the beginning",
          remedy: "look whether their times are right", key: "path")
      }
    }
    return apart
  }
}
