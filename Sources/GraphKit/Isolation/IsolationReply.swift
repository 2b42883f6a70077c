import GraphKitSystem
import JSON

/// What a process that reads a file for this one says.
package enum IsolationReply: Hashable, Sendable {
  /// What it is refused from now on; comes before all else.
  case confined(Confinement)
  /// The streams of the file.
  case streams([DiscoveredStream])
  /// The format of a track's samples that follow, as caps.
  case format(track: Int, caps: String)
  /// Samples of a track, in memory of some number.
  case samples(track: Int, memory: Int, [Placed])
  /// The next sample of a track needs more bytes than the memory of some number has.
  case needs(track: Int, memory: Int, byteCount: Int)
  /// A track has come to its end.
  case end(track: Int)
  /// What is wrong with the file.
  case failed(NodeError)
  /// What a person should know.
  case warning(String)

  /// Where a sample is, and its times in nanoseconds.
  package struct Placed: Hashable, Sendable {
    package var offset: Int
    package var byteCount: Int
    package var time: Int?
    package var duration: Int?
    package var isDiscontinuity: Bool
    /// How the fields of an interlaced frame lie in it: see ``SampleBuffer/fields``.
    package var fields: Int

    package init(
      offset: Int, byteCount: Int, time: Int?, duration: Int?, isDiscontinuity: Bool,
      fields: Int = 0
    ) {
      (self.offset, self.byteCount, self.time) = (offset, byteCount, time)
      (self.duration, self.isDiscontinuity, self.fields) = (duration, isDiscontinuity, fields)
    }
  }
}

extension IsolationReply {
  /// The bytes of a message.
  package var message: [UInt8] {
    Array(JSONTree(value: .object(fields)).jsonLine.utf8)
  }

  private var fields: [String: JSONValue] {
    switch self {
    case .confined(let confinement):
      [
        "is": "confined", "landlock": number(confinement.landlock),
        "filtersCalls": .bool(confinement.filtersCalls),
      ]
    case .streams(let streams): ["is": "streams", "streams": .array(streams.map(\.json))]
    case .format(let track, let caps):
      ["is": "format", "track": number(track), "caps": .string(caps)]
    case .samples(let track, let memory, let samples):
      [
        "is": "samples", "track": number(track), "memory": number(memory),
        "samples": .array(samples.map(\.json)),
      ]
    case .needs(let track, let memory, let byteCount):
      [
        "is": "needs", "track": number(track), "memory": number(memory),
        "byteCount": number(byteCount),
      ]
    case .end(let track): ["is": "end", "track": number(track)]
    case .failed(let error):
      [
        "is": "failed", "message": .string(shortened(error.message)),
        "remedy": .string(shortened(error.remedy)),
        "key": error.key.map { .string($0) } ?? .null,
      ]
    case .warning(let text): ["is": "warning", "text": .string(shortened(text))]
    }
  }

  /// Reads a message, which may come from a process that a file has taken over; `nil` where it is
  /// none. Texts are cut to what may be shown.
  package init?(_ message: [UInt8]) {
    guard let fields = JSONFields(line: message), let kind = fields.text("is") else { return nil }
    switch kind {
    case "confined":
      guard let version = fields.whole("landlock") else { return nil }
      self = .confined(
        Confinement(landlock: version, filtersCalls: fields.flag("filtersCalls")))
    case "streams":
      let values = fields.values("streams")
      let streams = values.compactMap(DiscoveredStream.init(json:))
      guard streams.count == values.count else { return nil }
      self = .streams(streams)
    case "failed":
      self = .failed(
        NodeError(
          fields.shown("message"), remedy: fields.shown("remedy"), key: fields.text("key")))
    case "warning": self = .warning(fields.shown("text"))
    default: self.init(ofTrack: kind, fields)
    }
  }

  private init?(ofTrack kind: String, _ fields: JSONFields) {
    guard let track = fields.whole("track") else { return nil }
    switch kind {
    case "end": self = .end(track: track)
    case "format":
      guard let caps = fields.text("caps"), caps.isPlainCaps else { return nil }
      self = .format(track: track, caps: caps)
    case "samples":
      guard let memory = fields.whole("memory") else { return nil }
      let values = fields.values("samples")
      let samples = values.compactMap(Placed.init(json:))
      guard !samples.isEmpty, samples.count == values.count else { return nil }
      self = .samples(track: track, memory: memory, samples)
    case "needs":
      guard let memory = fields.whole("memory"), let byteCount = fields.whole("byteCount") else {
        return nil
      }
      self = .needs(track: track, memory: memory, byteCount: byteCount)
    default: return nil
    }
  }
}

extension MessageSocket {
  /// Says something to the process that has started this one; where the message can't be sent, that.
  package func tell(_ reply: IsolationReply) {
    // What fails then says what it couldn't have, and not why.
    if case .failed = reply { Confinement.endIfMemoryIsUsedUp() }
    let message = reply.message
    if reply.isTellable(as: message), send(message) != .unfit { return }
    let problem = NodeError(
      "the file has streams that one process can't tell another of",
      remedy: "leave out `isolate`, or write the file anew with fewer streams", key: "path")
    _ = send(IsolationReply.failed(problem).message)
  }
}

extension IsolationReply {
  /// Whether the other process takes a message for what it is: it refuses caps that are long.
  fileprivate func isTellable(as message: [UInt8]) -> Bool {
    switch self {
    case .streams, .format: IsolationReply(message) != nil
    default: true
    }
  }
}

/// As much of a text as the other process shows.
private func shortened(_ text: String) -> String {
  String(Substring(text.unicodeScalars.prefix(1_000)))
}

private func number(_ value: Int) -> JSONValue { .number(Double(value)) }

extension IsolationReply.Placed {
  fileprivate var json: JSONValue {
    .array([
      number(offset), number(byteCount), time.map(number) ?? .null, duration.map(number) ?? .null,
      .bool(isDiscontinuity), number(fields),
    ])
  }

  fileprivate init?(json: JSONValue) {
    guard case .array(let values) = json, values.count == 6, let offset = values[0].wholeNumber,
      let byteCount = values[1].wholeNumber, let fields = values[5].wholeNumber
    else { return nil }
    self.init(
      offset: offset, byteCount: byteCount, time: values[2].wholeNumber,
      duration: values[3].wholeNumber, isDiscontinuity: values[4] == .bool(true),
      fields: fields)
  }
}

extension DiscoveredStream {
  /// What is said of a stream whose samples another process reads.
  fileprivate var json: JSONValue {
    var fields: [String: JSONValue] = [
      "id": .string(identifier), "caps": .string(format.capsText),
    ]
    fields["duration"] = duration?.nanoseconds.map { number(Int($0)) }
    fields["rotation"] = rotation.map { .string($0.rawValue) }
    fields["shortfall"] = shortfall.map { .string($0) }
    if isAnimation { fields["animation"] = .bool(true) }
    return .object(fields)
  }

  fileprivate init?(json: JSONValue) {
    guard let fields = JSONFields(json), let identifier = fields.text("id"),
      let caps = fields.text("caps"), caps.isPlainCaps
    else { return nil }
    self.init(
      identifier: identifier, format: MediaFormat(capsText: caps),
      duration: fields.whole("duration").map { MediaTime(nanoseconds: Int64($0)) })
    rotation = fields.text("rotation").flatMap { Rotation(rawValue: $0) }
    if fields.text("shortfall") != nil { shortfall = fields.shown("shortfall") }
    isAnimation = fields.flag("animation")
  }
}

extension JSONFields {
  /// A text as a person may be shown it: one line, without what moves a terminal's cursor.
  fileprivate func shown(_ key: String) -> String {
    let scalars = (text(key) ?? "").unicodeScalars.prefix(1_000)
    var text = ""
    for scalar in scalars {
      let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      text.unicodeScalars.append(isControl ? " " : scalar)
    }
    return text
  }
}

extension String {
  /// Whether the text is as short and as plain as caps are.
  fileprivate var isPlainCaps: Bool {
    utf8.count <= 16_384 && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }
}
