import GraphKit

/// Text with words in braces that stand for what changes: `{time}`, `{frame}`.
struct TextTemplate: Sendable, Equatable {
  /// The words that braces may hold.
  enum Word: String, CaseIterable, Sendable {
    case time, seconds, frame, date
  }

  /// What the words stand for.
  struct Values {
    /// The frame's presentation time, in seconds.
    var seconds: Double
    /// The frame's number, from 0.
    var frame: Int
    /// The time of day, in seconds since 1970.
    var clock: Int
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case word(Word)
  }

  private var parts: [Part] = []
  /// Words in braces that stand for nothing; they are shown as they are.
  private(set) var unknown: [String] = []

  /// Reads a template. `{{` stands for a brace.
  init(_ text: String) {
    var (rest, literal) = (text[...], "")
    while let first = rest.first {
      if rest.hasPrefix("{{") {
        literal.append("{")
        rest = rest.dropFirst(2)
      } else if first == "{", let end = rest.firstIndex(of: "}") {
        let name = rest[..<end].dropFirst()
        if let word = Word(rawValue: String(name)) {
          parts += [.text(literal), .word(word)]
          literal = ""
        } else {
          unknown.append(String(name))
          literal += rest[...end]
        }
        rest = rest[rest.index(after: end)...]
      } else {
        literal.append(first)
        rest = rest.dropFirst()
      }
    }
    parts.append(.text(literal))
  }

  /// Whether there is a time of day in it.
  var showsDate: Bool { parts.contains(.word(.date)) }
  /// Whether it changes from frame to frame.
  var changes: Bool { parts.count > 1 }

  /// The text, with what its words stand for.
  func text(_ values: Values) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .word(let word): Self.text(word, values)
      }
    }.joined()
  }

  private static func text(_ word: Word, _ values: Values) -> String {
    switch word {
    case .time: ClockText.time(seconds: values.seconds)
    case .seconds: ClockText.seconds(values.seconds)
    case .frame: String(values.frame)
    case .date: ClockText.date(values.clock)
    }
  }
}

/// Times as text.
enum ClockText {
  /// `HH:MM:SS.mmm`, cut off to whole milliseconds.
  static func time(seconds: Double) -> String {
    let (sign, milliseconds) = milliseconds(seconds)
    let whole = milliseconds / 1000
    return sign + twoDigits(whole / 3600) + ":" + twoDigits(whole / 60 % 60) + ":"
      + twoDigits(whole % 60) + "." + threeDigits(milliseconds % 1000)
  }

  /// Seconds with three decimals.
  static func seconds(_ seconds: Double) -> String {
    let (sign, milliseconds) = milliseconds(seconds)
    return sign + String(milliseconds / 1000) + "." + threeDigits(milliseconds % 1000)
  }

  /// `YYYY-MM-DD HH:MM:SS` of universal time, by the proleptic Gregorian calendar.
  static func date(_ secondsSince1970: Int) -> String {
    let days = Int((Double(secondsSince1970) / 86_400).rounded(.down))
    let second = secondsSince1970 - days * 86_400
    let (year, month, day) = calendarDay(days)
    return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(twoDigits(second / 3600)):"
      + "\(twoDigits(second / 60 % 60)):\(twoDigits(second % 60))"
  }

  /// Counts in years that begin in March, so that the leap day is the last, and in the 400 years
  /// after which the calendar repeats.
  private static func calendarDay(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
  }

  /// A nanosecond more, since a time that was stored in nanoseconds may be just below its
  /// millisecond.
  private static func milliseconds(_ seconds: Double) -> (sign: String, Int) {
    let whole = Int((min(abs(seconds), 1e12) * 1000 + 0.000_5).rounded(.down))
    return (seconds < 0 && whole > 0 ? "-" : "", whole)
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  private static func threeDigits(_ number: Int) -> String {
    number < 10 ? "00\(number)" : number < 100 ? "0\(number)" : String(number)
  }
}
