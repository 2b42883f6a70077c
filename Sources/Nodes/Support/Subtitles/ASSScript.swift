import GraphKit

/// A script of Advanced SubStation Alpha (ASS, `[V4+ Styles]`) or SubStation Alpha (SSA): its texts without
/// what says how they look, and the fonts that it asks for.
struct ASSScript {
  /// The texts, as they are in the file, in its order.
  private(set) var subtitles: [Subtitle] = []
  /// The families of its styles, each once; none where the script holds fonts itself.
  private(set) var fonts: [String] = []
  /// Whether the script holds fonts itself.
  private(set) var holdsFonts = false

  private let path: String
  private var section = ""
  /// The places of fields in the lines of a section, until a line says them: those of both versions.
  private var styleFields = ["name", "fontname"]
  private var eventFields = [
    "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
  ]

  /// Whether a text is a script.
  static func isScript(_ text: Substring) -> Bool {
    text.drop(while: \.isWhitespace).prefix(13).lowercased() == "[script info]"
  }

  init(_ text: Substring, _ path: String) throws(NodeError) {
    self.path = path
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() { try read(line, index + 1) }
    // Which of them the script holds, libass finds out.
    holdsFonts = lines.contains { $0.trimmed.lowercased() == "[fonts]" }
    if holdsFonts { fonts = [] }
  }

  /// Each character of the texts once.
  var characters: String {
    var seen: Set<Unicode.Scalar> = []
    let first = subtitles.flatMap { $0.text.unicodeScalars.filter { seen.insert($0).inserted } }
    return String(String.UnicodeScalarView(first))
  }

  private mutating func read(_ line: Substring, _ number: Int) throws(NodeError) {
    guard line.first != "[" else {
      section = line.trimmed.lowercased()
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let content = line[line.index(after: colon)...]
    switch (section, line[..<colon].lowercased()) {
    case ("[v4+ styles]", "format"), ("[v4 styles]", "format"): styleFields = Self.names(content)
    case ("[v4+ styles]", "style"), ("[v4 styles]", "style"): addFont(content)
    case ("[events]", "format"): eventFields = Self.names(content)
    case ("[events]", "dialogue"): try add(content, number)
    default: break
    }
  }

  private static func names(_ content: Substring) -> [String] {
    content.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed.lowercased() }
  }

  /// The values of a line by their fields' names; the last may hold commas.
  private static func values(_ content: Substring, _ fields: [String]) -> [String: Substring] {
    let values = content.split(
      separator: ",", maxSplits: max(0, fields.count - 1), omittingEmptySubsequences: false)
    return Dictionary(zip(fields, values), uniquingKeysWith: { first, _ in first })
      .mapValues(\.trimmed)
  }

  private mutating func addFont(_ content: Substring) {
    // Letters of a family with an @ before it lie on their side.
    let name = Self.values(content, styleFields)["fontname"]?.drop { $0 == "@" }
    if let name, !name.isEmpty, !fonts.contains(String(name)) { fonts.append(String(name)) }
  }

  private mutating func add(_ content: Substring, _ line: Int) throws(NodeError) {
    let values = Self.values(content, eventFields)
    guard let start = values["start"].flatMap(SubtitleFile.time),
      let end = values["end"].flatMap(SubtitleFile.time), let text = values["text"]
    else {
      throw NodeError(
        "line \(line) of `\(path)` has no times or no text: `Dialogue:\(content.prefix(80))`",
        remedy: "write it as Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,Text", key: "path")
    }
    let shown = Self.plain(text)
    if end > start, shown.contains(where: { !$0.isWhitespace }) {
      subtitles.append(Subtitle(start: start, end: end, text: shown))
    }
  }

  /// A text without what is in braces, and without drawings.
  static func plain(_ text: Substring) -> String {
    var (plain, rest, isDrawing) = ("", text, false)
    while let next = rest.first {
      if next == "{", let end = rest.firstIndex(of: "}") {
        isDrawing = drawing(in: rest[..<end]) ?? isDrawing
        rest = rest[rest.index(after: end)...]
      } else if next == "{" {
        return plain + (isDrawing ? "" : rest)
      } else if next == "\\", let word = letters[rest.dropFirst().first ?? " "] {
        plain += isDrawing ? "" : word
        rest = rest.dropFirst(2)
      } else {
        if !isDrawing { plain.append(next) }
        rest = rest.dropFirst()
      }
    }
    return plain
  }

  private static let letters: [Character: String] = ["N": "\n", "n": " ", "h": "\u{a0}"]

  /// Whether what follows some words in braces is a drawing: `\p1` begins one, `\p0` ends it.
  private static func drawing(in words: Substring) -> Bool? {
    words.split(separator: "\\").last { $0.first == "p" && $0.dropFirst().first?.isNumber == true }
      .map { $0.dropFirst().first != "0" }
  }
}

extension Substring {
  /// The text without white space around it.
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
