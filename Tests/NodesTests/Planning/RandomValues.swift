import GraphKit

/// Values for parameters, made up from a seed.
struct RandomValues {
  var numbers: SeededNumbers
  private let world: FakeWorld
  private var count = 0

  init(seed: UInt64, _ world: FakeWorld) {
    numbers = SeededNumbers(state: seed)
    self.world = world
  }

  /// Whether something happens that does so `percent` times of a hundred.
  mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &numbers) < percent
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &numbers)]
  }

  /// The parameters of a node: all that it must have, and some more.
  mutating func parameters(of type: NodeType) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for parameter in type.parameters {
      guard
        parameter.isRequired || Self.telling.contains(parameter.name) && chance(60) || chance(12)
      else { continue }
      values[parameter.name] = value(parameter.name, parameter.kind, of: type)
    }
    return values
  }

  /// Parameters that decide about ports and formats.
  private static let telling: Set<String> = [
    "media", "width", "height", "aspectRatio", "sampleFormat", "sampleRate", "channels", "layout",
    "pixelFormat", "frameRate", "transform", "quarterTurns",
  ]

  private mutating func value(
    _ name: String, _ kind: ParameterKind, of type: NodeType
  ) -> JSONValue? {
    switch kind {
    case .bool: .bool(chance(50))
    case .integer(let range): .number(Double(integer(in: range)))
    case .number(let range): .number(number(in: range))
    case .numberOrWord(let range, let word): chance(50) ? .string(word) : .number(number(in: range))
    case .string: text(name, of: type)
    case .path: path(of: type)
    case .choice(let words): .string(pick(words))
    case .rational: pick([24, 25, 30, 15, 50, "30000/1001"])
    case .object: nil
    case .list(let item, let limit):
      .array(
        (0..<Int.random(in: 1...min(3, limit), using: &numbers)).compactMap { _ in
          value(name, item, of: type)
        })
    case .tuple(let item, let count):
      .array((0..<count).compactMap { _ in value(name, item, of: type) })
    case .record(let fields): record(fields, of: type)
    }
  }

  private mutating func record(_ fields: [RecordField], of type: NodeType) -> JSONValue {
    var values: [String: JSONValue] = [:]
    for field in fields where field.isRequired || chance(50) {
      values[field.name] = value(field.name, field.kind, of: type)
    }
    return .object(values)
  }

  private static let usual = [1, 2, 6, 16, 25, 48, 64, 90, 180, 320, 640, 22_050, 44_100, 48_000]

  private mutating func integer(in range: ClosedRange<Int>) -> Int {
    if chance(3) { return Int.random(in: range, using: &numbers) }
    let usual = Self.usual.filter(range.contains)
    return usual.isEmpty ? chance(50) ? range.lowerBound : range.upperBound : pick(usual)
  }

  private mutating func number(in range: ClosedRange<Double>) -> Double {
    let top = chance(10) ? range.upperBound : min(range.upperBound, max(range.lowerBound + 1, 2))
    return (Double.random(in: range.lowerBound...top, using: &numbers) * 8).rounded() / 8
  }

  private static let addresses = [
    "liveStream": "srt://127.0.0.1:9000", "rtmpSink": "rtmp://localhost/live/key",
    "rtspSink": "rtsp://localhost/key",
  ]

  private mutating func text(_ name: String, of type: NodeType) -> JSONValue? {
    if name == "uri" { return Self.addresses[type.name].map { .string($0) } }
    if name == "element" { return .string(pick(world.elements)) }
    if name == "aspectRatio" { return pick(["1:1", "9:16", "3:4"]) }
    return [
      "device": "auto", "text": "Title", "title": "Title", "barColor": "102030", "color": "ffffff",
      "background": "203040",
      "colors": "ff0000,00ff00", "waveformColor": "ff8000", "creationTime": "2026-01-31T12:00:00Z",
    ][name]
  }

  private mutating func path(of type: NodeType) -> JSONValue? {
    if let known = world.paths[type.name] { return .string(pick(known)) }
    let endings = [
      "mp4Sink": ["mp4", "mov", "m4a"], "wavSink": ["wav"],
      "audioSink": ["mp3", "flac", "ogg", "opus"], "aiffSink": ["aiff"],
      "peaksSink": ["dat", "json", "csv"],
      "measurementSink": ["json"], "waveformImage": ["png", "svg"], "preview": ["png"],
      "thumbnails": ["png", "jpg", "webp"], "poster": ["png", "jpg"],
    ]
    guard let known = endings[type.name] else { return nil }
    count += 1
    let number = type.name == "thumbnails" ? "-{number}" : ""
    return .string("out-\(count)\(number).\(pick(known))")
  }
}
