/// The type, range and unit of a parameter's value.
public indirect enum ParameterKind: Hashable, Sendable {
  case bool
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// A number, or the word that leaves it to the node.
  case numberOrWord(ClosedRange<Double>, String)
  case string
  /// A file's path; relative to the working directory.
  case path
  /// One of some words.
  case choice([String])
  /// A fraction, written as a number or as `"30000/1001"`.
  case rational
  /// Any object: names and values that another program knows.
  case object
  /// Values of one kind, at most so many.
  case list(ParameterKind, limit: Int)
  /// Values of one kind, exactly so many.
  case tuple(ParameterKind, count: Int)
  /// An object whose keys are declared, as parameters are.
  case record([RecordField])
}

/// A key of a ``ParameterKind/record(_:)``.
public struct RecordField: Hashable, Sendable {
  /// The key in graph files.
  public let name: String
  /// What values it takes.
  public let kind: ParameterKind
  /// The unit, where the value has one.
  public let unit: String?
  /// Whether a record must have it.
  public let isRequired: Bool
  /// One line of help, with what holds where the key isn't given.
  public let help: String

  /// A key of a record.
  public init(
    _ name: String, _ kind: ParameterKind, unit: String? = nil, required: Bool = false,
    help: String
  ) {
    (self.name, self.kind, self.unit, self.isRequired) = (name, kind, unit, required)
    self.help = help
  }
}

/// A node's parameter: declared once, on the property that holds it.
///
/// Checking, the JSON Schema, `graphctl nodes`, and live changes all read this declaration. The
/// default is whatever the node's `init()` leaves in the property.
public struct Parameter<N>: Sendable {
  /// The key in graph files.
  public let name: String
  /// One line of help, with the unit.
  public let help: String
  /// What values it takes.
  public let kind: ParameterKind
  /// The unit, where the value has one: `"dB"`, `"bit/s"`, `"s"`.
  public let unit: String?
  /// Whether it may change while the graph runs.
  public let isLive: Bool
  /// Whether a graph must give it.
  public let isRequired: Bool
  /// The value with which the node has least to do and still does what it is for; `nil` where there
  /// is none. A live graph that can't keep up falls back to it.
  public private(set) var economy: JSONValue?
  let read: @Sendable (N) -> JSONValue?
  let write: @Sendable (inout N, JSONValue) -> Bool
}

extension Parameter {
  /// The same, where a live parameter has a value that costs less: see ``economy``.
  public func cheaper(at value: JSONValue) -> Self {
    var parameter = self
    parameter.economy = value
    return parameter
  }
}

extension Parameter {
  /// A switch.
  public static func bool(
    _ name: String, _ path: WritableKeyPath<N, Bool> & Sendable, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .bool, unit: nil, isLive: live, isRequired: false,
      read: { .bool($0[keyPath: path]) },
      write: { node, value in
        guard case .bool(let flag) = value else { return false }
        node[keyPath: path] = flag
        return true
      })
  }

  /// A whole number in a range.
  public static func integer(
    _ name: String, _ path: WritableKeyPath<N, Int> & Sendable, in range: ClosedRange<Int>,
    unit: String? = nil, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .integer(range), unit: unit, isLive: live, isRequired: false,
      read: { .number(Double($0[keyPath: path])) },
      write: { node, value in
        guard let whole = value.wholeNumber, range.contains(whole) else { return false }
        node[keyPath: path] = whole
        return true
      })
  }

  /// A whole number in a range that a graph may leave out, where the node then decides: so it does, too,
  /// where a live change is to `null`.
  public static func integer(
    _ name: String, _ path: WritableKeyPath<N, Int?> & Sendable, in range: ClosedRange<Int>,
    unit: String? = nil, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .integer(range), unit: unit, isLive: live, isRequired: false,
      read: { $0[keyPath: path].map { .number(Double($0)) } },
      write: { node, value in
        if live, value == .null {
          node[keyPath: path] = nil
          return true
        }
        guard let whole = value.wholeNumber, range.contains(whole) else { return false }
        node[keyPath: path] = whole
        return true
      })
  }

  /// A number in a range.
  public static func number(
    _ name: String, _ path: WritableKeyPath<N, Double> & Sendable, in range: ClosedRange<Double>,
    unit: String? = nil, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .number(range), unit: unit, isLive: live, isRequired: false,
      read: { .number($0[keyPath: path]) },
      write: { node, value in
        guard case .number(let number) = value, range.contains(number) else { return false }
        node[keyPath: path] = number
        return true
      })
  }

  /// A number in a range that a graph may leave out, where the node then decides: so it does, too, where
  /// a live change is to `null`.
  public static func number(
    _ name: String, _ path: WritableKeyPath<N, Double?> & Sendable, in range: ClosedRange<Double>,
    unit: String? = nil, live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .number(range), unit: unit, isLive: live, isRequired: false,
      read: { $0[keyPath: path].map { .number($0) } },
      write: { node, value in
        if live, value == .null {
          node[keyPath: path] = nil
          return true
        }
        guard case .number(let number) = value, range.contains(number) else { return false }
        node[keyPath: path] = number
        return true
      })
  }

  /// Text.
  public static func string(
    _ name: String, _ path: WritableKeyPath<N, String> & Sendable, required: Bool = false,
    live: Bool = false, help: String
  ) -> Self {
    text(name, path, kind: .string, required: required, live: live, help: help)
  }

  /// A file's path, relative to the working directory.
  public static func path(
    _ name: String, _ path: WritableKeyPath<N, String> & Sendable, required: Bool = true,
    help: String
  ) -> Self {
    text(name, path, kind: .path, required: required, live: false, help: help)
  }

  private static func text(
    _ name: String, _ path: WritableKeyPath<N, String> & Sendable, kind: ParameterKind,
    required: Bool, live: Bool, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: kind, unit: nil, isLive: live, isRequired: required,
      read: { .string($0[keyPath: path]) },
      write: { node, value in
        guard case .string(let text) = value else { return false }
        node[keyPath: path] = text
        return true
      })
  }

  /// One of an enumeration's words.
  public static func choice<Choice>(
    _ name: String, _ path: WritableKeyPath<N, Choice> & Sendable, live: Bool = false, help: String
  ) -> Self where Choice: RawRepresentable<String> & CaseIterable & Sendable {
    Self(
      name: name, help: help, kind: .choice(Choice.allCases.map(\.rawValue)), unit: nil,
      isLive: live, isRequired: false,
      read: { .string($0[keyPath: path].rawValue) },
      write: { node, value in
        guard case .string(let word) = value, let choice = Choice(rawValue: word) else {
          return false
        }
        node[keyPath: path] = choice
        return true
      })
  }

  /// A positive fraction, such as a frame rate.
  public static func rational(
    _ name: String, _ path: WritableKeyPath<N, Rational> & Sendable, unit: String? = nil,
    help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .rational, unit: unit, isLive: false, isRequired: false,
      read: { $0[keyPath: path].json },
      write: { node, value in
        guard let fraction = value.rational, fraction.numerator > 0 else { return false }
        node[keyPath: path] = fraction
        return true
      })
  }

  /// An object whose keys another program knows.
  public static func object(
    _ name: String, _ path: WritableKeyPath<N, [String: JSONValue]> & Sendable,
    live: Bool = false, help: String
  ) -> Self {
    Self(
      name: name, help: help, kind: .object, unit: nil, isLive: live, isRequired: false,
      read: { .object($0[keyPath: path]) },
      write: { node, value in
        guard case .object(let fields) = value else { return false }
        node[keyPath: path] = fields
        return true
      })
  }
}
