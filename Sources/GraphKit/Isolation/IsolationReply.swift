import Containers
import GraphKitSystem
import JSON

/// What a process that reads a file for this one says.
package enum IsolationReply: Hashable, Sendable {
  /// What it is refused from now on; comes before all else.
  case confined(Confinement)
  /// Parts of the file that have titles; come before its streams.
  case chapters([MovieChapter])
  /// The streams of the file.
  case streams([DiscoveredStream])
  /// The format of a track's samples that follow, as caps, or the next part of it.
  case format(track: Int, caps: String, isWhole: Bool = true)
  /// What a track, or its file, says of itself, before the samples that follow.
  case tag(track: Int, ofFile: Bool, name: String, text: String)
  /// A picture that goes with it, in memory of some number; of a kind by ID3v2's numbers.
  case picture(track: Int, ofFile: Bool, kind: Int, memory: Int, byteCount: Int)
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
        "is": "confined", "landlock": jsonNumber(confinement.landlock),
        "filtersCalls": .bool(confinement.filtersCalls),
      ]
    case .chapters(let chapters):
      ["is": "chapters", "chapters": .array(chapters.map(\.json))]
    case .streams(let streams): ["is": "streams", "streams": .array(streams.map(\.json))]
    case .failed(let error):
      [
        "is": "failed", "message": .string(shortened(error.message)),
        "remedy": .string(shortened(error.remedy)),
        "key": error.key.map { .string($0) } ?? .null,
      ]
    case .warning(let text): ["is": "warning", "text": .string(shortened(text))]
    default: trackFields
    }
  }

  private var trackFields: [String: JSONValue] {
    switch self {
    case .format(let track, let caps, let isWhole):
      [
        "is": "format", "track": jsonNumber(track), "caps": .string(caps),
        "isWhole": .bool(isWhole),
      ]
    case .tag(let track, let ofFile, let name, let text):
      [
        "is": "tag", "track": jsonNumber(track), "ofFile": .bool(ofFile), "name": .string(name),
        "text": .string(text),
      ]
    case .picture(let track, let ofFile, let kind, let memory, let byteCount):
      [
        "is": "picture", "track": jsonNumber(track), "ofFile": .bool(ofFile),
        "kind": jsonNumber(kind), "memory": jsonNumber(memory), "byteCount": jsonNumber(byteCount),
      ]
    case .samples(let track, let memory, let samples):
      [
        "is": "samples", "track": jsonNumber(track), "memory": jsonNumber(memory),
        "samples": .array(samples.map(\.json)),
      ]
    case .needs(let track, let memory, let byteCount):
      [
        "is": "needs", "track": jsonNumber(track), "memory": jsonNumber(memory),
        "byteCount": jsonNumber(byteCount),
      ]
    case .end(let track): ["is": "end", "track": jsonNumber(track)]
    default: [:]
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
    case "chapters":
      guard let chapters = fields.all("chapters", MovieChapter.init) else { return nil }
      self = .chapters(chapters)
    case "streams":
      guard let streams = fields.all("streams", DiscoveredStream.init) else { return nil }
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
      self = .format(track: track, caps: caps, isWhole: fields.flag("isWhole"))
    case "tag":
      guard let name = fields.text("name"), name.isTagName, let text = fields.text("text"),
        text.utf8.count <= Self.longestTag
      else { return nil }
      self = .tag(track: track, ofFile: fields.flag("ofFile"), name: name, text: text)
    default:
      guard let memory = fields.whole("memory") else { return nil }
      self.init(ofTrack: track, memory, kind, fields)
    }
  }

  private init?(ofTrack track: Int, _ memory: Int, _ kind: String, _ fields: JSONFields) {
    if kind == "samples" {
      guard let samples = fields.all("samples", Placed.init), !samples.isEmpty else { return nil }
      self = .samples(track: track, memory: memory, samples)
      return
    }
    guard let byteCount = fields.whole("byteCount") else { return nil }
    switch kind {
    case "needs": self = .needs(track: track, memory: memory, byteCount: byteCount)
    case "picture":
      guard let kind = fields.whole("kind") else { return nil }
      self = .picture(
        track: track, ofFile: fields.flag("ofFile"), kind: kind, memory: memory,
        byteCount: byteCount)
    default: return nil
    }
  }

  /// Bytes of a tag's text at most.
  package static let longestTag = 8_192
  /// Characters of caps, or of a part of them, at most.
  package static let longestCaps = 16_384
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
    case .streams, .format, .chapters, .tag: IsolationReply(message) != nil
    default: true
    }
  }
}

/// As much of a text as the other process shows.
private func shortened(_ text: String) -> String {
  String(Substring(text.unicodeScalars.prefix(1_000)))
}

/// A whole number as JSON has it.
func jsonNumber(_ value: Int) -> JSONValue { .number(Double(value)) }

extension JSONFields {
  /// What the values of a list are; `nil` where one of them is none.
  func all<Value>(_ key: String, _ make: (JSONValue) -> Value?) -> [Value]? {
    let values = values(key)
    let made = values.compactMap(make)
    return made.count == values.count ? made : nil
  }

  /// A text as a person may be shown it: one line, without what moves a terminal's cursor.
  func shown(_ key: String) -> String {
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
  var isPlainCaps: Bool {
    utf8.count <= IsolationReply.longestCaps && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  /// Whether it is written as names of tags are.
  fileprivate var isTagName: Bool {
    (1...64).contains(utf8.count)
      && utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
  }
}
