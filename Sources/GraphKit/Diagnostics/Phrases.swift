// The small change of `Wording.swift`: lists, quantities, and "did you mean".

/// "did you mean `x`?", where something known is near.
package func suggestion(for word: String, _ known: [String]) -> String? {
  closest(to: word, among: known).map { "did you mean `\($0)`?" }
}

/// "did you mean", or else what there is.
func instead(of word: String, _ known: [String], has subject: String = "it") -> String {
  let all = known.isEmpty ? "\(subject) has none" : "\(subject) has \(list(known))"
  return suggestion(for: word, known) ?? all
}

/// `a`, `b` and `c`; of a long list the first ones.
func list(_ words: [String]) -> String { joined(words, by: "and") }

/// `a`, `b` or `c`.
func anyOf(_ words: [String]) -> String { joined(words, by: "or") }

private func joined(_ words: [String], by conjunction: String) -> String {
  let shown = 16
  let quoted = words.prefix(shown).map { "`\($0)`" }
  if words.count > shown { return quoted.joined(separator: ", ") + ", …" }
  guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
  return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// A number and its unit: `-120 dB`.
func quantity(_ value: JSONValue, _ unit: String?) -> String {
  plain(value) + (unit.map { " \($0)" } ?? "")
}

/// A value as a sentence has it.
func plain(_ value: JSONValue) -> String {
  switch value {
  case .number(let number): JSONWriter.text(of: number)
  case .string(let text): "`\(excerpt(text))`"
  default: value.spoken
  }
}

/// A help line in the middle of a sentence.
func uncapitalized(_ help: String) -> String {
  let text = help.hasSuffix(".") ? String(help.dropLast()) : help
  // An abbreviation at the start keeps its capitals.
  guard text.dropFirst().first?.isLowercase ?? false else { return text }
  return text.prefix(1).lowercased() + text.dropFirst()
}

func having(_ ports: [String]) -> String { ports.isEmpty ? "" : ": \(list(ports))" }

extension WireFact {
  /// What goes into the wire and what should come out of it.
  var spoken: String {
    "`\(from)` gives \(gives.spoken), but `\(to)` takes \(takes.spoken)"
  }
}

extension PortDirection {
  var opposite: PortDirection { self == .input ? .output : .input }
  /// The end of a wire that such a port is.
  var end: String { self == .input ? "last of a wire" : "first of a wire" }
}

extension MediaKind {
  /// Audio, video, or either.
  var medium: String {
    switch decoded {
    case .audio: "audio"
    case .video: "video"
    default: "media"
    }
  }
}
