/// One field of a format constraint, without its type.
struct FormatField: Sendable {
  /// The name, as graph files and the converters' parameters spell it.
  let name: String
  /// Whether the field means the same of encoded media and of what is decoded from it.
  let outlivesCoding: Bool
  /// Whether any value will do.
  let isOpen: @Sendable (FormatConstraint) -> Bool
  /// Whether two constraints say the same.
  let agrees: @Sendable (FormatConstraint, FormatConstraint) -> Bool
  /// Narrows the second constraint by the first; `false`, and no change, where nothing is left.
  let narrow: @Sendable (FormatConstraint, inout FormatConstraint) -> Bool
  /// Has the second constraint say what the first says.
  let copy: @Sendable (FormatConstraint, inout FormatConstraint) -> Void
  /// Keeps the best of several values.
  let fix: @Sendable (inout FormatConstraint) -> Void
  /// The value, as a parameter's; `nil` where several or any will do.
  let value: @Sendable (FormatConstraint) -> JSONValue?
  /// Keeps the values of the second constraint that are nearest to that of the first, where near
  /// is better than preferred: six channels become two rather than one.
  var approach: @Sendable (FormatConstraint, inout FormatConstraint) -> Void = { _, _ in }
  /// Whether ``approach`` does anything: converters then choose the nearest value themselves.
  var isNearest = false
  /// Whether it says how a sample of audio is stored.
  var isOfSamples: Bool { name == "sampleFormat" || name == "layout" }
  /// Whether it says how large frames are, and which way up.
  var isOfShape: Bool { name == "width" || name == "height" || name == "rotation" }

  /// Every field except the kind and the codec, which no converter changes.
  static let all: [FormatField] = [
    list("sampleFormat", \.sampleFormats) { .string($0.rawValue) },
    list("layout", \.layouts) { .string($0.rawValue) },
    count("sampleRate", \.sampleRates),
    count("channels", \.channels),
    list("pixelFormat", \.pixelFormats) { .string($0.rawValue) },
    single("width", \.width) { .number(Double($0)) },
    single("height", \.height) { .number(Double($0)) },
    single("frameRate", \.frameRate) { $0.json },
    single("rotation", \.rotation) { .string($0.rawValue) },
  ]

  private static func list<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<FormatConstraint, [Value]> & Sendable,
    outlivesCoding: Bool = false, json: @escaping @Sendable (Value) -> JSONValue
  ) -> FormatField {
    FormatField(
      name: name, outlivesCoding: outlivesCoding, isOpen: { $0[keyPath: path].isEmpty },
      agrees: { a, b in
        a[keyPath: path].count == b[keyPath: path].count
          && a[keyPath: path].allSatisfy(b[keyPath: path].contains)
      },
      narrow: { other, format in
        let (limits, values) = (other[keyPath: path], format[keyPath: path])
        let common = values.isEmpty ? limits : values.filter(limits.contains)
        guard !limits.isEmpty, !common.isEmpty else { return limits.isEmpty }
        format[keyPath: path] = common
        return true
      },
      copy: { $1[keyPath: path] = $0[keyPath: path] },
      fix: { $0[keyPath: path] = Array($0[keyPath: path].prefix(1)) },
      value: { $0[keyPath: path].count == 1 ? $0[keyPath: path].first.map(json) : nil })
  }

  private static func count(
    _ name: String, _ path: WritableKeyPath<FormatConstraint, [Int]> & Sendable
  ) -> FormatField {
    var field = list(name, path, outlivesCoding: true) { .number(Double($0)) }
    field.isNearest = true
    field.approach = { given, target in
      guard given[keyPath: path].count == 1, let value = given[keyPath: path].first else { return }
      let nearest = target[keyPath: path].min { abs($0 - value) < abs($1 - value) }
      if let nearest { target[keyPath: path] = [nearest] }
    }
    return field
  }

  private static func single<Value: Equatable & Sendable>(
    _ name: String, _ path: WritableKeyPath<FormatConstraint, Value?> & Sendable,
    json: @escaping @Sendable (Value) -> JSONValue
  ) -> FormatField {
    FormatField(
      name: name, outlivesCoding: true, isOpen: { $0[keyPath: path] == nil },
      agrees: { $0[keyPath: path] == $1[keyPath: path] },
      narrow: { other, format in
        guard let limit = other[keyPath: path] else { return true }
        guard format[keyPath: path].map({ $0 == limit }) ?? true else { return false }
        format[keyPath: path] = limit
        return true
      },
      copy: { $1[keyPath: path] = $0[keyPath: path] }, fix: { _ in },
      value: { $0[keyPath: path].map(json) })
  }
}

extension FormatConstraint {
  /// What both say, in this constraint's order of preference; `nil` where nothing is left.
  func narrowed(by other: FormatConstraint) -> FormatConstraint? { try? intersection(other) }

  /// Each field with the best of its values only.
  var fixed: FormatConstraint {
    var result = self
    result.codecs = Array(codecs.prefix(1))
    for field in FormatField.all { field.fix(&result) }
    return result
  }
}
