import JSON

/// What a process that reads a file for this one is asked for.
package enum IsolationRequest: Hashable, Sendable {
  /// To read the file that comes along: the decoded streams of some ports, or without ports to say
  /// which streams it has. Comes first, and once.
  case open(IsolatedInput, ports: [String])
  /// To put the next samples of a track into memory of some number, which comes along where it is new.
  case fill(memory: Int, track: Int)
  /// To forget memory that will never be filled again.
  case forget(memory: Int)

  /// The version of what is exchanged.
  private static let version = 2

  /// The bytes of a message.
  package var message: [UInt8] {
    let fields: [String: JSONValue]
    switch self {
    case .open(let input, let ports):
      var values: [String: JSONValue] = [
        "version": .number(Double(Self.version)), "path": .string(input.path),
        "loop": .number(Double(input.loop)), "memory": .number(Double(input.memoryLimit)),
        "ports": .array(ports.map { .string($0) }),
      ]
      values["from"] = input.from.map { .number($0) }
      values["to"] = input.to.map { .number($0) }
      values["duration"] = input.duration.map { .number($0) }
      fields = values
    case .fill(let memory, let track):
      fields = ["fill": .number(Double(memory)), "track": .number(Double(track))]
    case .forget(let memory): fields = ["forget": .number(Double(memory))]
    }
    return Array(JSONTree(value: .object(fields)).jsonLine.utf8)
  }

  /// Reads a message; `nil` where it is none of this version.
  package init?(_ message: [UInt8]) {
    guard let fields = JSONFields(line: message) else { return nil }
    if let memory = fields.whole("fill") {
      guard let track = fields.whole("track") else { return nil }
      self = .fill(memory: memory, track: track)
    } else if let memory = fields.whole("forget") {
      self = .forget(memory: memory)
    } else {
      guard fields.whole("version") == Self.version, let path = fields.text("path"),
        let memory = fields.whole("memory")
      else { return nil }
      var input = IsolatedInput(path)
      (input.from, input.to) = (fields.number("from"), fields.number("to"))
      input.duration = fields.number("duration")
      (input.loop, input.memoryLimit) = (fields.whole("loop") ?? 1, memory)
      self = .open(input, ports: fields.list("ports"))
    }
  }
}
