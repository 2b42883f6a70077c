/// What a program asks of a run: a line with a JSON object, as `docs/live-control.md` has it.
struct ControlRequest {
  /// What can be asked for.
  enum Command: String, CaseIterable {
    case set, get, list, status, pause, resume, split, mark, finish, cancel
  }

  var command: Command
  /// For `set`: new values by `node.parameter`.
  var values: [(path: String, value: JSONValue)] = []
  /// For `set`: from when on; `nil` for at once.
  var time: MediaTime?
  /// For `get`: the parameter; `nil` for all that are live.
  var parameter: String?
  /// For `mark`: what the moment is called.
  var title = ""

  /// Reads a line's members.
  init(_ members: [JSONTree.Member]) throws(NodeError) {
    let fields = Dictionary(
      members.map { ($0.key.value, $0.value) }, uniquingKeysWith: { first, _ in first })
    command = try Self.command(fields["command"])
    for key in members.map(\.key.value) where !command.keys.contains(key) {
      throw NodeError(
        "`\(command)` has no `\(excerpt(key))`", remedy: instead(of: key, command.keys))
    }
    if let tree = fields["values"] { values = try Self.values(tree) }
    if command == .set, values.isEmpty {
      throw NodeError(
        "`set` without values", remedy: #"add "values": { "node.parameter": value }"#)
    }
    if let at = fields["at"] { time = try Self.time(at) }
    parameter = try Self.text("parameter", in: fields, such: "node.parameter")
    title = try Self.text("title", in: fields, such: "goal") ?? ""
  }

  private static func text(
    _ key: String, in fields: [String: JSONTree], such example: String
  ) throws(NodeError) -> String? {
    guard let tree = fields[key] else { return nil }
    if let text = tree.text { return text }
    throw NodeError("`\(key)` is \(tree.value.spoken)", remedy: "write \"\(example)\"")
  }

  private static func command(_ tree: JSONTree?) throws(NodeError) -> Command {
    let known = Command.allCases.map(\.rawValue)
    guard let word = tree?.text else {
      throw NodeError("the object has no `command`", remedy: "write \(anyOf(known))")
    }
    if let command = Command(rawValue: word) { return command }
    throw NodeError(
      "there is no command `\(excerpt(word))`", remedy: instead(of: word, known, has: "a run"))
  }

  private static func values(_ tree: JSONTree) throws(NodeError) -> [(String, JSONValue)] {
    guard let members = tree.members else {
      throw NodeError(
        "`values` is \(tree.value.spoken)", remedy: #"write { "node.parameter": value }"#)
    }
    return members.map { ($0.key.value, $0.value.value) }
  }

  private static func time(_ tree: JSONTree) throws(NodeError) -> MediaTime {
    guard case .number(let seconds) = tree.content else {
      throw NodeError("`at` is \(tree.value.spoken)", remedy: "write seconds")
    }
    let time = MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    guard time.isNumeric else {
      throw NodeError(
        "`at` is \(JSONWriter.text(of: seconds)), beyond all times",
        remedy: "write seconds from 0 on")
    }
    return time
  }
}

extension ControlRequest.Command {
  /// What an object of the command may have.
  fileprivate var keys: [String] {
    switch self {
    case .set: ["command", "id", "values", "at"]
    case .get: ["command", "id", "parameter"]
    case .mark: ["command", "id", "title"]
    default: ["command", "id"]
    }
  }
}
