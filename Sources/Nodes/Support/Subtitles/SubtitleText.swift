/// The text of subtitles without what says how it looks.
enum SubtitleText {
  /// Characters of a tag at most.
  private static let longest = 1_000

  /// A text without its tags, such as `<i>`; of `isMarkup`, entities such as `&amp;` are what they
  /// stand for. What is no tag stays: `a < b`.
  static func plain(_ text: String, isMarkup: Bool) -> String {
    guard isMarkup else { return text }
    var (plain, rest) = ("", text[...])
    while let next = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      plain += rest[..<next]
      rest = rest[next...]
      let ending: Character = rest.first == "<" ? ">" : ";"
      guard let end = rest.prefix(longest).firstIndex(of: ending),
        let replacement = replacement(of: rest[rest.index(after: next)..<end], ending)
      else {
        plain.append(rest.removeFirst())
        continue
      }
      plain += replacement
      rest = rest[rest.index(after: end)...]
    }
    return plain + rest
  }

  /// A text of a stream, which has what SubRip's has where it is markup.
  static func shown(_ text: String, isMarkup: Bool) -> String {
    isMarkup ? withoutBraces(plain(text, isMarkup: true)) : text
  }

  /// SubRip's text without what some programs write in braces: `{\an8}`.
  static func withoutBraces(_ text: String) -> String {
    var (plain, rest) = ("", text[...])
    while let start = rest.firstRange(of: "{\\"),
      let end = rest[start.lowerBound...].firstIndex(of: "}")
    {
      plain += rest[..<start.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return plain + rest
  }

  /// What is shown for a tag or an entity; `nil` where it is neither.
  private static func replacement(of content: Substring, _ ending: Character) -> String? {
    if ending == ";" { return entity(content) }
    guard let first = content.first, first.isLetter || first == "/" || first.isNumber else {
      return nil
    }
    return ""
  }

  private static let entities = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}",
    "lrm": "\u{200e}", "rlm": "\u{200f}",
  ]

  private static func entity(_ name: Substring) -> String? {
    if let known = entities[String(name)] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
