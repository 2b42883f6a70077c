extension Substitution.Value {
  /// A part of the value: of an object what a key has, of a path one of ``PathPart``.
  func part(_ key: String) -> JSONValue? {
    switch self {
    case .value(.object(let fields)): fields[key]
    case .value(.string(let path)), .untyped(let path):
      PathPart(rawValue: key).map { .string($0.of(path)) }
    default: nil
    }
  }

  /// What ``part(_:)`` knows.
  var parts: [String] {
    switch self {
    case .value(.object(let fields)): fields.keys.sorted()
    case .value(.string), .untyped: PathPart.allCases.map(\.rawValue)
    default: []
    }
  }
}

/// The parts of a path that `${input.stem}` and its like stand for.
enum PathPart: String, CaseIterable {
  /// The folder, `.` where the path names none.
  case folder
  /// The name without its folders.
  case name
  /// The name without its extension.
  case stem
  /// What follows the name's last point; empty where there is none.
  case `extension`

  /// The part of a path.
  func of(_ path: String) -> String {
    let slash = path.lastIndex(of: "/")
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    // A name that begins with its only point is hidden, and has no extension.
    let point = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    switch self {
    case .folder:
      guard let slash else { return "." }
      return slash == path.startIndex ? "/" : String(path[..<slash])
    case .name: return String(name)
    case .stem: return String(point.map { name[..<$0] } ?? name)
    case .extension: return point.map { String(name[name.index(after: $0)...]) } ?? ""
    }
  }
}

extension String {
  /// What stands before the first point, and what after it.
  var dividedAtPoint: (String, String?) {
    guard let point = firstIndex(of: ".") else { return (self, nil) }
    return (String(self[..<point]), String(self[index(after: point)...]))
  }
}

extension JSONValue {
  /// Whether it holds other values.
  var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// The text of a string.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }
}

extension JSONTree {
  /// The value at a place.
  func placed(at place: SourcePlace?) -> JSONTree {
    var tree = self
    tree.place = place
    return tree
  }
}
