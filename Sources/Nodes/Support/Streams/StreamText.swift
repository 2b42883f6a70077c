/// Numbers, times and names as playlists and manifests write them.
enum StreamText {
  /// Nanoseconds as seconds with six decimals.
  static func seconds(_ nanoseconds: Int64) -> String {
    let micros = (max(0, nanoseconds) + 500) / 1_000
    return "\(micros / 1_000_000).\(digits(micros % 1_000_000, 6))"
  }

  /// A time of day in universal time, to the millisecond (ISO 8601).
  static func date(_ nanosecondsSince1970: Int64) -> String {
    let millis = max(0, nanosecondsSince1970) / 1_000_000
    return CalendarTime.text(secondsSince1970: Int(millis / 1_000)).dropLast()
      + ".\(digits(millis % 1_000, 3))Z"
  }

  /// A number with zeros before it.
  static func digits(_ value: some BinaryInteger, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// A name as a reference that means it (RFC 3986, 2.1). Letters that mean themselves stay: players
  /// of files on a disk look for what is written.
  static func reference(to name: String) -> String {
    name.unicodeScalars.map { letter in
      guard letter.value < 0x20 || "\"#?%".unicodeScalars.contains(letter) else {
        return String(letter)
      }
      let digits = String(letter.value, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }

  /// Text inside of a quoted string of a playlist, which holds no quotes and no line ends (RFC 8216,
  /// 4.2).
  static func quoted(_ text: String) -> String {
    "\"" + text.filter { $0 != "\"" && !$0.isNewline } + "\""
  }

  /// Text inside of an attribute of XML.
  static func escaped(_ text: String) -> String {
    text.map { letter in
      switch letter {
      case "&": "&amp;"
      case "<": "&lt;"
      case "\"": "&quot;"
      default: String(letter)
      }
    }.joined()
  }
}
