import JSON

/// What a process that reads a file for this one is asked for.
package enum IsolationRequest: Hashable, Sendable {
  /// To read the file that comes along: some of its streams, or without any to say which it has. Comes
  /// first, and once.
  case open(IsolatedInput, [IsolatedStream])
  /// To put the next samples of a track into memory of some number, which comes along where it is new.
  case fill(memory: Int, track: Int)
  /// To forget memory that will never be filled again.
  case forget(memory: Int)

  /// The version of what is exchanged.
  private static let version = 4

  /// The bytes of a message.
  package var message: [UInt8] {
    let fields: [String: JSONValue]
    switch self {
    case .open(let input, let streams):
      var values: [String: JSONValue] = [
        "version": .number(Double(Self.version)), "path": .string(input.path),
        "memory": .number(Double(input.memoryLimit)), "streams": .array(streams.map(\.json)),
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
      input.memoryLimit = memory
      guard let streams = fields.all("streams", IsolatedStream.init) else { return nil }
      self = .open(input, streams)
    }
  }
}

/// A stream that another process is asked for.
package struct IsolatedStream: Hashable, Sendable {
  /// Its port of `file`.
  package var port: String
  /// How its packets are to come; `nil` where it is decoded.
  package var packets: PacketDemand?

  package init(_ port: String, packets: PacketDemand? = nil) {
    (self.port, self.packets) = (port, packets)
  }

  fileprivate var json: JSONValue {
    guard let packets else { return .object(["port": .string(port)]) }
    return .object([
      "port": .string(port), "caps": .string(packets.caps),
      "skipsLeads": .bool(packets.skipsLeads), "copiesRanges": .bool(packets.copiesRanges),
      "areAsInFile": .bool(packets.areAsInFile),
      "parsers": .array(packets.parsers.map(\.json)),
    ])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let port = fields.text("port") else { return nil }
    self.init(port)
    guard let caps = fields.text("caps") else { return }
    var demand = PacketDemand()
    demand.caps = caps
    demand.skipsLeads = fields.flag("skipsLeads")
    demand.copiesRanges = fields.flag("copiesRanges")
    demand.areAsInFile = fields.flag("areAsInFile")
    guard let parsers = fields.all("parsers", ElementSpec.init) else { return nil }
    demand.parsers = parsers
    packets = demand
  }
}

extension ElementSpec {
  fileprivate var json: JSONValue {
    .object([
      "factory": .string(factory), "plugin": plugin.map { .string($0) } ?? .null,
      "properties": .object(properties.mapValues { .string($0) }),
    ])
  }

  fileprivate init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let factory = fields.text("factory") else { return nil }
    self.init(factory, plugin: fields.text("plugin"), fields.texts("properties"))
    isParser = true
  }
}
