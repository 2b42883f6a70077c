import Foundation
import Testing

/// Compares a text with a file of `Expected/`, whole. Such files change only by `make golden`.
func expect(_ text: String, matches name: String, at place: SourceLocation = #_sourceLocation)
  throws
{
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Expected").appending(path: name)
  try expect(text, equals: file, at: place)
}

/// Compares a text with a generated file of the repository, whole. Such files change only by
/// `make golden`.
func expect(_ text: String, equals file: URL, at place: SourceLocation = #_sourceLocation) throws {
  if ProcessInfo.processInfo.environment["GRAPHKIT_UPDATE_GOLDEN"] == "1" {
    try Data(text.utf8).write(to: file)
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(
    text == expected, "differs from \(file.lastPathComponent): make golden", sourceLocation: place)
}
