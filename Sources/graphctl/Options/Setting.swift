import ArgumentParser

/// A value for one of a graph's parameters: `name=value`.
struct Setting {
  var name: String
  var value: String

  /// A value for a parameter.
  init(name: String, value: String) { (self.name, self.value) = (name, value) }

  /// Reads `name=value`.
  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw ValidationError("`\(text)` sets nothing; write it as name=value")
    }
    (name, value) = (String(parts[0]), String(parts[1]))
  }
}
