/// A text with `${name}` or `${name.part}` in it, taken apart. `$${` stands for a plain `${`.
package struct ReferenceText {
  /// A piece of the text.
  enum Part: Equatable {
    case plain(String)
    /// A parameter's name, with a part of its value where one is named, and the offset of its `$` in
    /// scalars.
    case reference(String, offset: Int)
    /// A `${` that no name and `}` follow.
    case broken(String, offset: Int)

    var isReference: Bool {
      if case .reference = self { true } else { false }
    }
  }

  /// The parts, in order.
  private(set) var parts: [Part] = []

  init(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    var plain = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if opens(scalars, at: index + 1), scalars[index] == "$" {
        plain.append(contentsOf: "${".unicodeScalars)
        index += 3
      } else if opens(scalars, at: index) {
        if !plain.isEmpty { parts.append(.plain(String(plain))) }
        plain = String.UnicodeScalarView()
        let (piece, length) = Self.reference(scalars[index...])
        parts.append(piece)
        index += length
      } else {
        plain.append(scalars[index])
        index += 1
      }
    }
    if !plain.isEmpty { parts.append(.plain(String(plain))) }
  }

  private static func reference(_ text: ArraySlice<Unicode.Scalar>) -> (Part, length: Int) {
    let name = text.dropFirst(2).prefix { isNameScalar($0) || $0 == "." }
    let isClosed = text.dropFirst(2 + name.count).first == "}"
    let length = 2 + name.count + (isClosed ? 1 : 0)
    let words = String(String.UnicodeScalarView(name))
    if isClosed, isPortName(words) {
      return (.reference(words, offset: text.startIndex), length)
    }
    let shown = String(String.UnicodeScalarView(text.prefix(length)))
    return (.broken(shown, offset: text.startIndex), length)
  }

  /// A text that reads back as it is, with every `${` in it escaped.
  package static func escaping(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for index in scalars.indices {
      if opens(scalars, at: index) { escaped.append("$") }
      escaped.append(scalars[index])
    }
    return String(escaped)
  }
}

/// Whether `${` stands at an index.
private func opens(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
  index + 1 < scalars.count && scalars[index] == "$" && scalars[index + 1] == "{"
}
