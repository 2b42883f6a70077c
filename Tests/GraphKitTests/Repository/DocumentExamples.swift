import Foundation

/// A fenced block of a document, with the comment that stands before it:
/// `<!-- graphs/record.json -->` says that the block is that file.
struct DocumentExample: CustomStringConvertible, Sendable {
  var document: String
  var note: String?
  var language: String
  var text: String

  var description: String { "\(document): \(note ?? language)" }

  /// The blocks of a document, in its order.
  static func all(in document: String) throws -> [DocumentExample] {
    let lines = try Repository.text(document).components(separatedBy: "\n")
    var examples: [DocumentExample] = []
    var open: DocumentExample?
    for (number, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        if let example = open {
          examples.append(example)
          open = nil
        } else {
          open = DocumentExample(
            document: document, note: number > 0 ? note(in: lines[number - 1]) : nil,
            language: String(line.dropFirst(3)), text: "")
        }
      } else {
        open?.text += line + "\n"
      }
    }
    return examples
  }

  private static func note(in line: String) -> String? {
    guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { return nil }
    return String(line.dropFirst(5).dropLast(4))
  }
}
