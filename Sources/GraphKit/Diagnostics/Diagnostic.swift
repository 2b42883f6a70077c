/// Something that is wrong with a graph: where, what, and what to do about it.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// Whether the graph can't be run, or only has something superfluous in it.
  public enum Severity: String, Hashable, Sendable, Codable { case error, warning }

  /// How bad it is.
  public var severity: Severity
  /// The graph file, as the user or another graph file named it.
  public var file: String?
  /// The file that was checked, where ``file`` is one that it names.
  private var checkedFile: String?
  /// Where in the file.
  public var place: SourcePlace?
  /// The node that it is about.
  public var node: String?
  /// The port that it is about.
  public var port: String?
  /// The key that it is about: of a node, or of the file.
  public var key: String?
  /// The nodes that are graphs of other files around the place, the innermost first.
  public var within: [Inclusion] = []
  /// The facts.
  public var problem: Problem

  init(
    _ problem: Problem, at place: SourcePlace?, node: String? = nil, port: String? = nil,
    key: String? = nil, severity: Severity = .error
  ) {
    self.severity = severity
    self.place = place
    self.node = node
    self.port = port
    self.key = key
    self.problem = problem
  }

  /// What is wrong: a sentence without its full stop.
  public var message: String { problem.wording.message }
  /// What to do about it, to follow the message after a semicolon.
  public var remedy: String { problem.wording.remedy }

  /// All in one line, the way compilers write it: `record.json:12:7: error: …; …`. Where there is
  /// no file the node's name stands for the place.
  public var description: String {
    let location = place.map { "\($0.line):\($0.column)" } ?? node
    let prefix = [file, location].compactMap(\.self).map { "\($0):" }.joined()
    let around = within.map { inclusion in
      let place = inclusion.place.map { ":\($0.line):\($0.column)" } ?? ""
      return "`\(inclusion.node)` at \(inclusion.place?.file ?? checkedFile ?? "")\(place)"
    }
    return (prefix.isEmpty ? "" : prefix + " ") + "\(severity): \(message); \(remedy)"
      + (around.isEmpty ? "" : " (in \(around.joined(separator: ", in ")))")
  }
}

extension Diagnostic: Encodable {
  private enum Key: String, CodingKey {
    case severity, file, line, column, node, port, key, message, remedy, within
  }

  /// Writes the place, the facts and the words, each under a key of its own.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(severity, forKey: .severity)
    try container.encodeIfPresent(file, forKey: .file)
    try container.encodeIfPresent(place?.line, forKey: .line)
    try container.encodeIfPresent(place?.column, forKey: .column)
    try container.encodeIfPresent(node, forKey: .node)
    try container.encodeIfPresent(port, forKey: .port)
    try container.encodeIfPresent(key, forKey: .key)
    try container.encode(message, forKey: .message)
    try container.encode(remedy, forKey: .remedy)
    if !within.isEmpty { try container.encode(within, forKey: .within) }
  }
}

/// Everything that is wrong with a graph, warnings included, in the order of the file.
public struct GraphErrors: Error, Sendable, CustomStringConvertible, Encodable {
  /// The most diagnostics that are kept; a file with more has one cause, not so many.
  public static let limit = 100

  /// The diagnostics, by place; those without a place come first.
  public let diagnostics: [Diagnostic]
  /// How many more there were than are kept.
  public let omitted: Int

  init(_ diagnostics: [Diagnostic], file: String?, omitted: Int = 0) {
    let sorted = diagnostics.inOrder.once
    self.diagnostics = sorted.prefix(Self.limit).map { $0.in(file) }
    self.omitted = omitted + max(0, sorted.count - Self.limit)
  }

  /// One line for each diagnostic.
  public var description: String {
    let lines = diagnostics.map(\.description)
    return (lines + (omitted > 0 ? ["… and \(omitted) more"] : [])).joined(separator: "\n")
  }
}

extension Diagnostic {
  func `in`(_ file: String?) -> Diagnostic {
    var located = self
    located.file = place?.file ?? located.file ?? file
    located.checkedFile = file
    return located
  }

  /// The same, of a node, where it isn't of one yet.
  func of(_ node: String) -> Diagnostic {
    var attributed = self
    attributed.node = self.node.map { "\(node)/\($0)" } ?? node
    return attributed
  }
}

extension [Diagnostic] {
  /// The same without what is found again at the same place: in a graph that is used twice, say.
  var once: [Diagnostic] {
    var found: Set<Finding> = []
    return filter { diagnostic in
      guard let place = diagnostic.place else { return true }
      return found.insert(Finding(place: place, problem: diagnostic.problem)).inserted
    }
  }

  /// By place, and where places are the same in the order of finding.
  var inOrder: [Diagnostic] {
    enumerated().sorted { a, b in
      let start = SourcePlace(line: 0, column: 0)
      return (a.element.place ?? start, a.offset) < (b.element.place ?? start, b.offset)
    }.map(\.element)
  }
}

/// A problem and where it is.
private struct Finding: Hashable {
  var place: SourcePlace
  var problem: Problem
}
