import JSON

/// A value for a parameter with fields for what differs from item to item: `peaks/{path}.dat`.
package struct ItemTemplate: Hashable, Sendable {
  /// What a field stands for.
  package enum Field: String, CaseIterable, Sendable {
    /// The path below the folder at which the pattern begins, without the extension.
    case path
    /// The name without the extension.
    case stem
    /// The name.
    case name
    /// The folder below that at which the pattern begins.
    case folder
    /// The item's name in the batch, which is put in when that is known.
    case id
  }

  private enum Part: Hashable { case text(String), field(Field) }

  private let parts: [Part]
  /// What the field of the item's name looks like as long as that isn't known.
  package static let idField = "{id}"
  /// What the same text looks like where the name of a file has it: a character for private use is
  /// in no name that people give.
  private static let plainIdField = "{\u{e000}id}"
  /// Fields that nodes have in the names of files.
  private static let fieldsOfNodes = ["number", "date", "time"]

  /// Reads a value. Throws where it has a field that there isn't.
  package init(_ text: String) throws(BatchError) {
    var parts: [Part] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /\{([A-Za-z]+)\}/) {
      let word = String(match.1)
      parts.append(.text(String(rest[..<match.range.lowerBound])))
      if let field = Field(rawValue: word) {
        parts.append(.field(field))
      } else if Self.fieldsOfNodes.contains(word) {
        parts.append(.text(String(match.0)))
      } else {
        let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw BatchError(
          .usage, "--set", "`{\(excerpt(word))}` is no field of an item",
          remedy: "there are \(names)")
      }
      rest = rest[match.range.upperBound...]
    }
    self.parts = parts + [.text(String(rest))]
  }

  /// The value for an item; ``idField`` stays.
  package func value(for item: ListedItem) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(.path): Self.plain(item.relativePath.withoutExtension)
      case .field(.stem): Self.plain(item.stem)
      case .field(.name): Self.plain(item.name)
      case .field(.folder): Self.plain(item.folder)
      case .field(.id): Self.idField
      }
    }.joined()
  }

  /// What a field stands for, in which nothing is a field.
  private static func plain(_ text: String) -> String {
    text.replacing(idField, with: plainIdField)
  }

  /// A value with the item's name in it.
  package static func complete(_ value: String, id: String) -> String {
    value.replacing(idField, with: id).replacing(plainIdField, with: idField)
  }
}
