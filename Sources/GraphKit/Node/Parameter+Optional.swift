extension Parameter {
  /// One of an enumeration's words that a graph may leave out, where the node then decides.
  public static func choice<Choice>(
    _ name: String, _ path: WritableKeyPath<N, Choice?> & Sendable, help: String
  ) -> Self where Choice: RawRepresentable<String> & CaseIterable & Sendable {
    Self(
      name: name, help: help, kind: .choice(Choice.allCases.map(\.rawValue)), unit: nil,
      isLive: false, isRequired: false,
      read: { $0[keyPath: path].map { .string($0.rawValue) } },
      write: { node, value in
        guard case .string(let word) = value, let choice = Choice(rawValue: word) else {
          return false
        }
        node[keyPath: path] = choice
        return true
      })
  }

  /// A positive fraction that a graph may leave out, where the node then decides.
  public static func rational(
    _ name: String, _ path: WritableKeyPath<N, Rational?> & Sendable, unit: String? = nil,
    help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .rational, unit: unit, isLive: false, isRequired: false,
      read: { $0[keyPath: path]?.json },
      write: { node, value in
        guard let fraction = value.rational, fraction.numerator > 0 else { return false }
        node[keyPath: path] = fraction
        return true
      })
  }

  /// A number in a range, or a word with which the node decides: `nil` in the property.
  public static func number(
    _ name: String, _ path: WritableKeyPath<N, Double?> & Sendable, in range: ClosedRange<Double>,
    orWord word: String, unit: String? = nil, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .numberOrWord(range, word), unit: unit, isLive: false,
      isRequired: false,
      read: { $0[keyPath: path].map { .number($0) } ?? .string(word) },
      write: { node, value in
        switch value {
        case .number(let number) where range.contains(number): node[keyPath: path] = number
        case .string(word): node[keyPath: path] = nil
        default: return false
        }
        return true
      })
  }
}
