/// A date and time of day in universal time, written as RFC 3339 has it: `2026-01-31T12:00:00Z`.
struct CalendarTime {
  let secondsSince1970: Int

  /// The times that a movie can hold: 32 bits of seconds since 1904 (ISO/IEC 14496-12, 8.2.2).
  static let ofMovies = -2_082_844_800...(-2_082_844_800 + 0xFFFF_FFFF)

  /// Reads the text; `nil` where it is no such time.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes.last == UInt8(ascii: "Z") else { return nil }
    let marks: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
    guard marks.allSatisfy({ bytes[$0.0] == $0.1.asciiValue }) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      year > 0, (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.days(from1970To: year, month, day)
    secondsSince1970 = days * 86_400 + hour * 3_600 + minute * 60 + second
  }

  /// The text of a time from 1970 on.
  static func text(secondsSince1970 seconds: Int) -> String {
    var (days, year, month) = (max(0, seconds) / 86_400, 1970, 1)
    while days >= (isLeap(year) ? 366 : 365) {
      days -= isLeap(year) ? 366 : 365
      year += 1
    }
    while days >= Self.days(in: month, of: year) {
      days -= Self.days(in: month, of: year)
      month += 1
    }
    let rest = max(0, seconds) % 86_400
    let date = [year, month, days + 1].map { StreamText.digits($0, 2) }.joined(separator: "-")
    let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { StreamText.digits($0, 2) }
    return "\(date)T\(time.joined(separator: ":"))Z"
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let days = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return days[month - 1]
  }

  private static func days(from1970To year: Int, _ month: Int, _ day: Int) -> Int {
    let years = min(year, 1970)..<max(year, 1970)
    let whole = years.reduce(0) { $0 + (isLeap($1) ? 366 : 365) } * (year < 1970 ? -1 : 1)
    return whole + (1..<month).reduce(0) { $0 + days(in: $1, of: year) } + day - 1
  }
}
