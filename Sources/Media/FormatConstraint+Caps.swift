extension FormatConstraint {
  /// The constraint as the text of a caps filter; `ANY` where it says nothing that caps can say.
  ///
  /// Of encoded media only the codecs are named: what else an encoder writes into its caps
  /// differs, and a filter on it would refuse good samples.
  public var capsText: String {
    switch kind {
    case .any: "ANY"
    case .peaks: PeaksFormat.mediaType
    case .measurement: MediaFormat.measurementType
    case .text: TimedText.mediaType
    case .audio: audioCaps
    case .video: videoCaps
    case .encodedAudio, .encodedVideo:
      codecs.isEmpty ? "ANY" : codecs.map(Self.filter).joined(separator: "; ")
    }
  }

  private var audioCaps: String {
    var caps = CapsText("audio/x-raw")
    caps.add("format", "string", anyOf: sampleFormats.map(\.capsName))
    caps.add("layout", "string", anyOf: layouts.map(\.capsName))
    caps.add("rate", "int", anyOf: sampleRates.map { "\($0)" })
    caps.add("channels", "int", anyOf: channels.map { "\($0)" })
    return caps.text
  }

  private var videoCaps: String {
    var caps = CapsText("video/x-raw")
    caps.add("format", "string", anyOf: pixelFormats.map(\.capsName))
    caps.add("width", width)
    caps.add("height", height)
    caps.add("framerate", frameRate)
    return caps.text
  }

  private static func filter(_ codec: Codec) -> String {
    var caps = CapsText(codec.mediaType)
    for field in codec.tellingFields { caps.add(field.name, field.type, anyOf: field.values) }
    return caps.text
  }
}

extension FormatConstraint {
  /// Raw audio by its fixed caps, whose samples GraphKit has no words for, as those of another byte order:
  /// what is to be made of it is open, but not that it loses bits of integers.
  package init(foreignAudio capsText: String) {
    self.init(.audio)
    let structure = CapsStructure.all(in: capsText)?.first
    sampleRates = structure?.size("rate").map { [$0] } ?? []
    channels = structure?.size("channels").map { [$0] } ?? []
    let format = structure?.text("format") ?? ""
    // `S24BE`, `S24_32LE`
    guard let kind = format.first, "SU".contains(kind) else { return }
    bitDepth = Int(format.dropFirst().prefix(while: \.isNumber))
  }

  /// What a pad takes or gives, by the text of its template's caps; `nil` where no media can pass
  /// or the text isn't caps.
  ///
  /// A field stays open where the template has too many values to name, or none that GraphKit
  /// knows. A template of several kinds, or with a media type that GraphKit doesn't know, is of
  /// the kind `any`.
  public init?(capsTemplate: String) {
    guard let structures = CapsStructure.all(in: capsTemplate) else { return nil }
    let possible = structures.filter { $0.name != "EMPTY" && $0.name != "NONE" }
    // Formats in graphics memory are offered besides those in system memory.
    let readable = possible.filter(\.isInSystemMemory)
    let parts = (readable.isEmpty ? possible : readable).map(Self.init(template:))
    guard var whole = parts.first else { return nil }
    for part in parts.dropFirst() { whole = whole.union(part) }
    self = whole
  }

  private init(template structure: CapsStructure) {
    let codecs = Codec.admitted(by: structure)
    switch structure.name {
    case _ where !structure.isInSystemMemory: self.init(.any)
    case "audio/x-raw": self = Self.audio(template: structure)
    case "video/x-raw": self = Self.video(template: structure)
    case TimedText.mediaType: self.init(.text)
    case _ where codecs.isEmpty: self.init(.any)
    default:
      self.init(codecs[0].kind)
      self.codecs = codecs
    }
  }

  private static func audio(template structure: CapsStructure) -> FormatConstraint {
    .audio(
      structure.choices("format") { SampleFormat(capsName: $0) },
      layouts: structure.choices("layout") { ChannelLayout(capsName: $0) },
      sampleRates: structure.choices("rate") { Int($0) },
      channels: structure.choices("channels") { Int($0) })
  }

  private static func video(template structure: CapsStructure) -> FormatConstraint {
    .video(
      structure.choices("format") { PixelFormat(capsName: $0) },
      width: structure.integer("width"), height: structure.integer("height"),
      frameRate: structure.fraction("framerate"))
  }

  /// What either accepts, as closely as one constraint can say it.
  private func union(_ other: FormatConstraint) -> FormatConstraint {
    guard kind == other.kind, kind != .any else { return FormatConstraint(.any) }
    var union = self
    union.codecs = Self.union(codecs, other.codecs)
    union.sampleFormats = Self.union(sampleFormats, other.sampleFormats)
    union.layouts = Self.union(layouts, other.layouts)
    union.sampleRates = Self.union(sampleRates, other.sampleRates)
    union.channels = Self.union(channels, other.channels)
    union.pixelFormats = Self.union(pixelFormats, other.pixelFormats)
    union.width = width == other.width ? width : nil
    union.height = height == other.height ? height : nil
    union.frameRate = frameRate == other.frameRate ? frameRate : nil
    return union
  }

  private static func union<Value: Equatable>(_ first: [Value], _ second: [Value]) -> [Value] {
    guard !first.isEmpty, !second.isEmpty else { return [] }
    return first + second.filter { !first.contains($0) }
  }
}

extension CapsStructure {
  /// The values of a field that GraphKit knows; none where they are too many to name.
  fileprivate func choices<Value: Equatable>(
    _ field: String, _ known: (String) -> Value?
  ) -> [Value] {
    (fields[field]?.choices ?? []).compactMap(known).reduce(into: []) { values, value in
      if !values.contains(value) { values.append(value) }
    }
  }
}
