import Foundation
import Testing

/// Compares a text with a file of `Expected/`, whole. Such files change only by `make golden`.
func expect(_ text: String, matches name: String, at place: SourceLocation = #_sourceLocation)
  throws
{
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Expected").appending(path: name)
  if ProcessInfo.processInfo.environment["GRAPHKIT_UPDATE_GOLDEN"] == "1" {
    try Data(text.utf8).write(to: file)
  }
  let expected = try String(contentsOf: file, encoding: .utf8)
  #expect(text == expected, "differs from Expected/\(name)", sourceLocation: place)
}
