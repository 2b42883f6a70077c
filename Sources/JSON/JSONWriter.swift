/// Writes JSON the way a person would lay it out: short values in one line, long ones broken, and
/// chosen objects in columns.
package struct JSONWriter {
  /// The longest line, where its parts allow that.
  static let width = 100

  private var output = ""

  /// A tree as text, with a line feed at its end. What stands under the keys `broken` has always
  /// one item a line, and the values of its members in a column.
  package static func text(of tree: JSONTree, breaking broken: Set<String> = []) -> String {
    var writer = JSONWriter()
    writer.write(tree, indent: 0, column: 0, breaks: true, isAligned: false, broken)
    return writer.output + "\n"
  }

  private mutating func write(
    _ tree: JSONTree, indent: Int, column: Int, breaks: Bool, isAligned: Bool,
    _ broken: Set<String>
  ) {
    let line = breaks ? nil : Self.line(of: tree, limit: Self.width - column)
    switch (line, tree.content) {
    case (let line?, _): output += line
    case (nil, .array(let items)) where !items.isEmpty:
      lines(items, "[", "]", indent) { writer, item in
        writer.write(
          item, indent: indent + 2, column: indent + 3, breaks: false, isAligned: false, broken)
      }
    case (nil, .object(let members)) where !members.isEmpty:
      let widest = isAligned ? members.map { Self.quoted($0.key.value).count }.max() ?? 0 : 0
      lines(members, "{", "}", indent) { writer, member in
        writer.write(member, indent: indent + 2, widest: widest, broken)
      }
    default: output += Self.line(of: tree, limit: .max) ?? ""
    }
  }

  private mutating func write(
    _ member: JSONTree.Member, indent: Int, widest: Int, _ broken: Set<String>
  ) {
    let key = Self.quoted(member.key.value) + ":"
    let gap = String(repeating: " ", count: max(1, widest + 2 - key.count))
    let column = indent + key.count + gap.count + 1
    let isAligned = broken.contains(member.key.value)
    let fits = Self.line(of: member.value, limit: Self.width - column) != nil
    output += key + (fits ? gap : " ")
    write(
      member.value, indent: indent, column: column, breaks: isAligned, isAligned: isAligned,
      broken)
  }

  private mutating func lines<Item>(
    _ items: [Item], _ open: String, _ close: String, _ indent: Int,
    _ write: (inout JSONWriter, Item) -> Void
  ) {
    let margin = "\n" + String(repeating: " ", count: indent + 2)
    output += open
    for (index, item) in items.enumerated() {
      output += (index > 0 ? "," : "") + margin
      write(&self, item)
    }
    output += "\n" + String(repeating: " ", count: indent) + close
  }
}

extension JSONWriter {
  /// A tree in one line; `nil` where that is longer than a limit.
  static func line(of tree: JSONTree, limit: Int) -> String? {
    let text: String
    switch tree.content {
    case .null: text = "null"
    case .bool(let flag): text = flag ? "true" : "false"
    case .number(let number): text = self.text(of: number)
    case .string(let string): text = quoted(string)
    case .array(let items): return row("[", "]", items.map { ("", $0) }, limit)
    case .object(let members):
      return row("{", "}", members.map { (quoted($0.key.value) + ": ", $0.value) }, limit)
    }
    return text.count <= limit ? text : nil
  }

  private static func row(
    _ open: String, _ close: String, _ items: [(key: String, value: JSONTree)], _ limit: Int
  ) -> String? {
    if items.isEmpty { return open + close }
    let gap = open == "{" ? " " : ""
    var text = open + gap
    // Counted part by part: the length of all for each item would take time by the square.
    var count = text.count
    func add(_ part: String) {
      text += part
      count += part.count
    }
    for (index, item) in items.enumerated() {
      add((index > 0 ? ", " : "") + item.key)
      guard count < limit, let value = line(of: item.value, limit: limit - count) else {
        return nil
      }
      add(value)
    }
    add(gap + close)
    return count <= limit ? text : nil
  }

  /// A number without a point where it has no fraction.
  package static func text(of number: Double) -> String {
    Int(exactly: number).map { $0 == 0 && number.sign == .minus ? "-0" : "\($0)" } ?? "\(number)"
  }

  /// A string in quotes, with the escapes that JSON asks for.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\r": quoted += "\\r"
      case "\0"..<" ": quoted += "\\u00" + hexadecimal(UInt8(scalar.value))
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
