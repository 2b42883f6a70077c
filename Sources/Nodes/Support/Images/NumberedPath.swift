import GraphKit

/// A path with a number in its last name, as `printf` has it: `frames/%05d.png`.
struct NumberedPath: Hashable, Sendable {
  /// The folder, with its stroke; empty for the working directory.
  let folder: String
  /// What is before and after the number.
  private let before: String
  private let after: String
  /// Digits that the number has at least.
  private let digits: Int

  /// `nil` where the last name has no number, or more than one.
  init?(_ path: String) {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[start...]
    let found = name.matches(of: /%(0(\d))?d/)
    guard let field = found.first, found.count == 1 else { return nil }
    folder = String(path[..<start])
    before = String(name[..<field.range.lowerBound])
    after = String(name[field.range.upperBound...])
    digits = field.output.2.flatMap { Int($0) } ?? 1
  }

  /// The path with a number.
  func path(_ number: Int) -> String { folder + name(number) }

  /// The last name with a number.
  func name(_ number: Int) -> String {
    let text = String(number)
    return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
  }

  /// The number that a name has; `nil` of a name that isn't one of these.
  func number(of name: String) -> Int? {
    guard name.hasPrefix(before), name.hasSuffix(after) else { return nil }
    let text = name.dropFirst(before.count).dropLast(after.count)
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text),
      self.name(number) == name
    else { return nil }
    return number
  }

  /// The folder as the system knows it.
  var folderPath: String { folder.isEmpty ? "." : folder == "/" ? "/" : String(folder.dropLast()) }
}

extension String {
  /// Whether the text fits a pattern in which `*` stands for any text, and `?` for a character.
  func fits(_ pattern: Substring) -> Bool {
    var (text, rest) = (self[...], pattern)
    // Where to go on with one more character for the last star.
    var star: (text: Substring, rest: Substring)?
    while let next = text.first {
      if rest.first == "*" {
        rest = rest.dropFirst()
        star = (text, rest)
      } else if rest.first == "?" || rest.first == next {
        (text, rest) = (text.dropFirst(), rest.dropFirst())
      } else if let last = star {
        text = last.text.dropFirst()
        (rest, star) = (last.rest, (text, last.rest))
      } else {
        return false
      }
    }
    return rest.allSatisfy { $0 == "*" }
  }

  /// Whether the text comes before another, where numbers in them count by their values.
  func precedesNaturally(_ other: String) -> Bool {
    var (left, right) = (self[...], other[...])
    while let first = left.first, let second = right.first {
      if first.isASCIIDigit, second.isASCIIDigit {
        let (one, two) = (left.takeNumber(), right.takeNumber())
        if (one.count, one) != (two.count, two) { return (one.count, one) < (two.count, two) }
      } else if first != second {
        return first < second
      } else {
        (left, right) = (left.dropFirst(), right.dropFirst())
      }
    }
    // Of numbers with zeros in front, the text decides.
    return left.isEmpty == right.isEmpty ? self < other : left.isEmpty
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension Substring {
  /// Takes the digits that it begins with; returns them without zeros in front.
  fileprivate mutating func takeNumber() -> String {
    let digits = prefix { $0.isASCIIDigit }
    self = dropFirst(digits.count)
    return String(digits.drop { $0 == "0" })
  }
}
