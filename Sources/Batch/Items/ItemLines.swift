import JSON

/// Reads a list of items: paths, JSON Lines, or CSV with a head.
package struct ItemLines {
  /// How a list is written.
  package enum Format: Sendable {
    /// A path a line.
    case paths
    /// A path before each NUL, as `find -print0` writes them.
    case nullSeparated
    /// A line a JSON text or object: the parameters of one item.
    case jsonLines
    /// A head with the parameters' names, and a row an item.
    case csv

    /// The format of a list's file, by the ending of its name.
    package init(ofFile name: String) {
      let ending = name.split(separator: ".").last.map { $0.lowercased() }
      switch ending {
      case "jsonl", "ndjson": self = .jsonLines
      case "csv": self = .csv
      default: self = .paths
      }
    }
  }

  private let name: String
  private let inputParameter: String
  private var problems: [BatchProblem] = []

  /// The items of a list. Throws all that is wrong with it.
  package static func read(
    _ bytes: [UInt8], _ format: Format, name: String, inputParameter: String
  ) throws(BatchError) -> [ListedItem] {
    var reader = ItemLines(name: name, inputParameter: inputParameter)
    let items =
      switch format {
      case .paths: reader.lines(bytes)
      case .nullSeparated: reader.paths(bytes, separator: 0)
      case .jsonLines: reader.jsonLines(bytes)
      case .csv: reader.rows(bytes)
      }
    guard reader.problems.isEmpty else { throw BatchError(.usage, reader.problems) }
    return items
  }

  private init(name: String, inputParameter: String) {
    (self.name, self.inputParameter) = (name, inputParameter)
  }

  private func place(_ line: Int) -> String { "\(name):\(line)" }

  private mutating func note(_ line: Int, _ message: String, remedy: String) {
    problems.append(BatchProblem(place(line), message, remedy: remedy))
  }

  /// The parts of the list that aren't empty, with their numbers.
  private mutating func texts(_ bytes: [UInt8], separator: UInt8) -> [(line: Int, text: String)] {
    var texts: [(Int, String)] = []
    let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() where !part.isEmpty {
      guard let text = String(validating: part, as: UTF8.self) else {
        note(
          index + 1, "it isn't UTF-8",
          remedy: "rename the file, or make a link to it whose name is, and list that")
        continue
      }
      texts.append((index + 1, text))
    }
    return texts
  }

  /// Paths, one a line, which programs of Windows end with a carriage return, too. A file whose name ends so
  /// can be listed otherwise.
  private mutating func lines(_ bytes: [UInt8]) -> [ListedItem] {
    texts(bytes, separator: UInt8(ascii: "\n")).compactMap { line, text in
      // As scalars: with the line feed a carriage return is one character.
      let path = text.hasSuffix("\r") ? String(text.unicodeScalars.dropLast()) : text
      return path.isEmpty ? nil : ListedItem(path, place: place(line))
    }
  }

  private mutating func paths(_ bytes: [UInt8], separator: UInt8) -> [ListedItem] {
    texts(bytes, separator: separator).map { ListedItem($0.text, place: place($0.line)) }
  }

  private mutating func jsonLines(_ bytes: [UInt8]) -> [ListedItem] {
    texts(bytes, separator: UInt8(ascii: "\n")).compactMap { line, text in
      guard text.contains(where: { !$0.isWhitespace }) else { return nil }
      guard let tree = JSONTree(answer: Array(text.utf8)) else {
        note(line, "it isn't JSON", remedy: "write it as {\"\(inputParameter)\": \"a.mp3\"}")
        return nil
      }
      return item(tree, line)
    }
  }

  private mutating func item(_ tree: JSONTree, _ line: Int) -> ListedItem? {
    if let path = tree.text { return item([inputParameter: path], line) }
    guard let members = tree.members else {
      note(
        line, "it is neither text nor an object",
        remedy: "write it as {\"\(inputParameter)\": \"a.mp3\"}")
      return nil
    }
    var values: [String: String] = [:]
    for member in members {
      switch member.value.value {
      case .string(let text): values[member.key.value] = text
      case .number(let number): values[member.key.value] = JSONWriter.text(of: number)
      case .bool(let flag): values[member.key.value] = "\(flag)"
      default:
        note(
          line, "`\(excerpt(member.key.value))` is neither text, a number nor true or false",
          remedy: "give such a value, or leave it out")
        return nil
      }
    }
    return item(values, line)
  }

  private mutating func rows(_ bytes: [UInt8]) -> [ListedItem] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      note(1, "the table isn't UTF-8", remedy: "save it as UTF-8")
      return []
    }
    let rows: [CSVRows.Row]
    do { rows = try CSVRows.read(text) } catch {
      note(error.line, error.message, remedy: "write it as RFC 4180 has it")
      return []
    }
    guard let head = rows.first else { return [] }
    guard head.fields.contains(inputParameter) else {
      note(
        head.line, "no column is called `\(inputParameter)`",
        remedy: "name the columns after the graph's parameters in the first row")
      return []
    }
    return rows.dropFirst().compactMap { item($0, head) }
  }

  private mutating func item(_ row: CSVRows.Row, _ head: CSVRows.Row) -> ListedItem? {
    guard row.fields.count == head.fields.count else {
      note(
        row.line, "it has \(row.fields.count) fields, and the head \(head.fields.count)",
        remedy: "give each column a field; quote those with commas")
      return nil
    }
    let pairs = zip(head.fields, row.fields).filter { !$0.1.isEmpty }
    return item(Dictionary(pairs.map { ($0, $1) }, uniquingKeysWith: { $1 }), row.line)
  }

  private mutating func item(_ values: [String: String], _ line: Int) -> ListedItem? {
    var values = values
    guard let input = values.removeValue(forKey: inputParameter), !input.isEmpty else {
      note(line, "it has no `\(inputParameter)`", remedy: "name the item's file there")
      return nil
    }
    return ListedItem(input, values: values, place: place(line))
  }
}
