import Containers
import JSON

extension DiscoveredStream {
  /// What is said of a stream whose samples another process reads.
  var json: JSONValue {
    var fields: [String: JSONValue] = [
      "id": .string(identifier), "caps": .string(format.capsText),
    ]
    fields["duration"] = duration?.nanoseconds.map { jsonNumber(Int($0)) }
    fields["rotation"] = rotation.map { .string($0.rawValue) }
    fields["shortfall"] = shortfall.map { .string($0) }
    fields["location"] = location.map { .string($0) }
    fields["edit"] = edit.map(\.json)
    fields["label"] = label.map(\.json)
    if isAnimation { fields["animation"] = .bool(true) }
    return .object(fields)
  }

  init?(_ json: JSONValue) {
    guard let fields = JSONFields(json), let identifier = fields.text("id"),
      let caps = fields.text("caps"), caps.isPlainCaps
    else { return nil }
    self.init(
      identifier: identifier, format: MediaFormat(capsText: caps),
      duration: fields.whole("duration").map { MediaTime(nanoseconds: Int64($0)) })
    rotation = fields.text("rotation").flatMap { Rotation(rawValue: $0) }
    if fields.text("shortfall") != nil { shortfall = fields.shown("shortfall") }
    if fields.text("location") != nil { location = fields.shown("location") }
    if let known = fields.object("edit") {
      guard let edit = StreamEdit(known) else { return nil }
      self.edit = edit
    }
    label = fields.object("label").map(TrackLabel.init)
    isAnimation = fields.flag("animation")
  }
}

extension TrackLabel {
  fileprivate var json: JSONValue {
    var fields: [String: JSONValue] = ["default": .bool(isDefault), "forced": .bool(isForced)]
    fields["name"] = name.map { .string($0.prefix(utf8Count: Self.longestName)) }
    return .object(fields)
  }

  fileprivate init(_ fields: JSONFields) {
    self.init(isDefault: fields.flag("default"), isForced: fields.flag("forced"))
    if fields.text("name") != nil {
      name = fields.shown("name").prefix(utf8Count: Self.longestName)
    }
  }

  /// Bytes of a name that another process says: all tracks' are in one message.
  private static let longestName = 128
}

extension IsolationReply {
  /// The chapters of a file that has some streams, as many in each as a message holds.
  package static func chapters(of streams: [DiscoveredStream]) -> [IsolationReply] {
    let all = (streams.first?.chapters ?? []).prefix(MovieChapter.most).map(\.shortened)
    return stride(from: 0, to: all.count, by: MovieChapter.mostAtOnce).map { start in
      .chapters(Array(all[start...].prefix(MovieChapter.mostAtOnce)))
    }
  }
}

extension StreamEdit {
  /// What a copy has to know: its packets have come as all else of it says.
  fileprivate var json: JSONValue {
    var fields: [String: JSONValue] = ["start": start.json, "delay": delay.json]
    fields["end"] = end?.json
    fields["keyFrame"] = keyFrame?.json
    if cutsLastPacket { fields["cutsLastPacket"] = .bool(true) }
    return .object(fields)
  }

  fileprivate init?(_ fields: JSONFields) {
    guard let start = MediaTime(values: fields.values("start")),
      let delay = MediaTime(values: fields.values("delay"))
    else { return nil }
    self.init()
    (self.start, self.delay) = (start, delay)
    end = MediaTime(values: fields.values("end"))
    keyFrame = MediaTime(values: fields.values("keyFrame"))
    cutsLastPacket = fields.flag("cutsLastPacket")
  }
}

extension MediaTime {
  fileprivate var json: JSONValue {
    .array([jsonNumber(Int(value)), jsonNumber(Int(timescale))])
  }

  /// A time that a number in JSON holds exactly, of 30 years at most; `nil` for all others.
  fileprivate init?(values: [JSONValue]) {
    guard values.count == 2, let value = values[0].wholeNumber, value.magnitude <= 1 << 53,
      let timescale = values[1].wholeNumber.flatMap({ Int32(exactly: $0) }), timescale > 0,
      value.magnitude / UInt(timescale) <= 1_000_000_000
    else { return nil }
    self.init(value: Int64(value), timescale: timescale)
  }
}

extension MovieChapter {
  var json: JSONValue { .array([jsonNumber(start), .string(title)]) }

  init?(_ json: JSONValue) {
    guard case .array(let values) = json, values.count == 2, let start = values[0].wholeNumber,
      (0...Self.latest).contains(start), case .string(let title) = values[1],
      title.utf8.count <= Self.longestTitle
    else { return nil }
    self.init(start: start, title: title)
  }

  /// A year, in milliseconds.
  private static let latest = 31_536_000_000
  /// Bytes of a title that another process says.
  static let longestTitle = 1_024
  /// How many chapters of a file it says at most, and in one message.
  static let most = 10_000
  fileprivate static let mostAtOnce = 8

  /// The chapter as a message has it.
  fileprivate var shortened: MovieChapter {
    MovieChapter(
      start: min(max(start, 0), Self.latest), title: title.prefix(utf8Count: Self.longestTitle))
  }
}

extension String {
  /// As many of the first characters as have so many bytes at most.
  package func prefix(utf8Count: Int) -> String {
    guard utf8.count > utf8Count else { return self }
    var (scalars, count) = (Substring.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= utf8Count else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
