extension JSONTree {
  /// Reads the line of an answer; `nil` where it is no JSON.
  package init?(answer line: [UInt8]) {
    do { self = try JSONReader.read(line).tree } catch { return nil }
  }

  /// The value as JSON that a person can read, with a line feed at its end.
  package var json: String { JSONWriter.text(of: self) }

  /// The value as JSON in one line, without a line feed.
  package var jsonLine: String { JSONWriter.line(of: self, limit: .max) ?? "null" }
}
