import GraphKit

extension NodePage {
  /// The page for a person to read.
  var text: String {
    var blocks = ["\(name)  (\(role.rawValue), \(made))\n  \(help)\n  Example: \(example)"]
    if !ports.isEmpty {
      blocks.append("PORTS\n" + Table.text(ports.map(\.cells), indent: 2))
    }
    if !parameters.isEmpty {
      blocks.append("PARAMETERS\n" + Table.text(parameters.map(\.cells), indent: 2))
    }
    return blocks.joined(separator: "\n\n")
  }

  private var made: String {
    if isGraph { return "a graph" }
    guard isMadeOfElements else { return "written in Swift" }
    let names = elements.joined(separator: ", ")
    return "made of \(names.isEmpty ? "GStreamer elements that the graph decides" : names)"
  }

  /// All pages, one line each, under their roles.
  static func table(of pages: [NodePage]) -> String {
    let width = pages.map(\.name.count).max() ?? 0
    return NodeRole.allCases.compactMap { role in
      let rows = pages.filter { $0.role == role }.map { [$0.name.padded(to: width), $0.help] }
      return rows.isEmpty ? nil : "\(role.rawValue)\n" + Table.text(rows, indent: 2)
    }.joined(separator: "\n\n")
  }
}

extension NodePage.Port {
  fileprivate var cells: [String] {
    let number = isRepeatable ? "any number" : isRequired ? "" : "optional"
    return [name, direction.rawValue, format, number, help]
  }
}

extension NodePage.Value {
  fileprivate var cells: [String] {
    [name, values, isRequired ? "required" : standard, change, help]
  }

  /// Whether it may change in a run, and the value that costs less.
  private var change: String {
    guard isLive else { return "" }
    return "live" + (economy.map { ", \($0.plain) costs less" } ?? "")
  }

  private var values: String {
    let suffix = unit.map { " \($0)" } ?? ""
    guard let minimum, let maximum else {
      return choices?.joined(separator: "|") ?? type + suffix
    }
    let range = "\(minimum.short)…\(maximum.short)\(suffix)"
    return ([range] + (choices ?? [])).joined(separator: "|")
  }

  private var standard: String {
    guard let defaultValue, defaultValue != .string("") else { return "" }
    return "= \(defaultValue.plain)"
  }
}

/// Text in columns.
enum Table {
  /// Rows with each column as wide as its widest cell, except for the last; columns that are empty
  /// throughout are left out.
  static func text(_ rows: [[String]], indent: Int) -> String {
    guard let count = rows.first?.count else { return "" }
    let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = (0..<count).filter { widths[$0] > 0 }.map { column in
        column == count - 1 ? row[column] : row[column].padded(to: min(widths[column], 40))
      }
      let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Double {
  /// The number without a point where it has no fraction.
  var short: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
