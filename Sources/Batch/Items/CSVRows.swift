/// The rows of a table as text, after RFC 4180: fields with commas between, quotes around those that
/// hold commas, quotes or line ends. Lines that are empty are left out.
struct CSVRows {
  /// A row, and the line that it begins on.
  struct Row: Hashable {
    var line: Int
    var fields: [String]
  }

  /// The line on which something is wrong, and what.
  struct Fault: Error {
    var line: Int
    var message: String
  }

  private var rest: Substring.UnicodeScalarView
  private var line = 1

  private init(_ text: String) {
    rest = text.unicodeScalars[...]
    // A byte order mark, as spreadsheets write it.
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
  }

  static func read(_ text: String) throws(Fault) -> [Row] {
    var reader = CSVRows(text)
    var rows: [Row] = []
    while !reader.rest.isEmpty {
      let row = Row(line: reader.line, fields: try reader.row())
      if row.fields != [""] { rows.append(row) }
    }
    return rows
  }

  private mutating func row() throws(Fault) -> [String] {
    var fields: [String] = []
    while true {
      fields.append(try rest.first == "\"" ? quoted() : plain())
      guard let next = rest.popFirst(), next == "," else { break }
    }
    line += 1
    return fields
  }

  private mutating func plain() -> String {
    let text = rest.prefix { $0 != "," && $0 != "\n" }
    rest = rest[text.endIndex...]
    // Lines may end in CR and LF.
    return String(rest.first != "," && text.last == "\r" ? text.dropLast() : text)
  }

  private mutating func quoted() throws(Fault) -> String {
    let start = line
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let next = rest.popFirst() {
      if next == "\n" { line += 1 }
      guard next == "\"" else {
        text.append(next)
        continue
      }
      guard rest.first == "\"" else {
        try endQuoted()
        return String(text)
      }
      text.append(rest.removeFirst())
    }
    throw Fault(line: start, message: "a quote isn't closed")
  }

  private mutating func endQuoted() throws(Fault) {
    if rest.first == "\r", rest.dropFirst().first == "\n" { rest.removeFirst() }
    guard rest.isEmpty || rest.first == "," || rest.first == "\n" else {
      throw Fault(line: line, message: "a comma is missing after a quote")
    }
  }
}
