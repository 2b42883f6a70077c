import GraphKit

/// Any GStreamer element by its name, its ports read from its pad templates.
///
/// A single pad of a direction is called `in` or `out`; several go by their templates' names, a
/// requested one (`sink_%u`) as the repeatable port `sink`.
public struct GStreamerElement: ElementNode {
  /// The element's name: `videoflip`.
  public var element = ""
  /// Its properties by name.
  public var properties: [String: JSONValue] = [:]
  /// Whether samples come as time passes, where the element is a source.
  public var live = false
  /// Seconds of media that the element holds before its first output.
  public var holds = 0.0
  /// Whether files that are there already are replaced, where the element writes to a `location`.
  public var overwrite = false
  private(set) var inspection: ElementInspection?

  /// An element to be named.
  public init() {}

  public static let declaration = NodeDeclaration<GStreamerElement>(
    "gst", role: .general, help: "Any installed GStreamer element.",
    example: "camera -> flip -> encoder",
    parameters: [
      .string("element", \.element, required: true, help: "The element's name: `videoflip`."),
      .object(
        "properties", \.properties,
        help: "Its properties by name; `gst-inspect-1.0` lists them."),
      .bool("live", \.live, help: "Whether, as a source, its samples come as time passes."),
      .number(
        "holds", \.holds, in: 0...3_600, unit: "s",
        help: "Media that it holds before its first output, as an encoder's lookahead does."),
      .bool(
        "overwrite", \.overwrite,
        help: "Whether files at its `location` that are there already are replaced."),
    ])

  /// The ports of an element with one pad of each direction.
  public static let ports = EffectPorts<AnyMedia>()

  public var traits: NodeTraits { NodeTraits(isLive: live) }
  public var latency: MediaTime { MediaTime(seconds: holds, preferredTimescale: 1_000_000) }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    let found = try environment.inspect(element)
    for name in properties.keys.sorted() where !found.properties.contains(name) {
      let near = found.properties.filter { $0.isNear(name) }.map { "`\($0)`" }
      throw NodeError(
        "`\(element)` has no property `\(name)` that can be set",
        remedy: near.isEmpty
          ? "`gst-inspect-1.0 \(element)` lists what it has"
          : "did you mean \(near.joined(separator: " or "))?", key: "properties.\(name)")
    }
    for (name, text) in try texts.sorted(by: { $0.key < $1.key })
    where !environment.takes(text, for: name, of: element) {
      throw NodeError(
        "`\(element)` doesn't take `\(text)` for its property `\(name)`",
        remedy: "`gst-inspect-1.0 \(element)` says what it takes", key: "properties.\(name)")
    }
    inspection = found
    try checkFiles(in: environment)
    let later = found.pads.filter { $0.presence == .sometimes }.map { "`\($0.name)`" }
    guard !later.isEmpty else { return [] }
    return [
      "pads that appear while `\(element)` runs can't be wired: \(later.joined(separator: ", "))"
    ]
  }

  public var portDeclarations: [PortDeclaration] {
    guard inspection != nil else { return Self.ports.declarations }
    return pads.map { name, pad in
      PortDeclaration(
        name, pad.direction, FormatConstraint(capsTemplate: pad.caps) ?? FormatConstraint(.any),
        isRepeatable: pad.presence == .request && pad.direction == .input,
        isRequired: pad.presence == .always,
        help: "The element's pad `\(pad.name)`.")
    }
  }

  /// The pads that can be wired, with their ports' names.
  private var pads: [(port: String, pad: ElementInspection.Pad)] {
    let pads = (inspection?.pads ?? []).filter { $0.presence != .sometimes }
    return pads.map { pad in
      let isAlone = pads.count { $0.direction == pad.direction } == 1
      let usual = pad.direction == .input ? "in" : "out"
      return (isAlone ? usual : pad.name.prefixBeforeNumber, pad)
    }
  }

  /// The properties as elements take them.
  private var texts: [String: String] {
    get throws(NodeError) {
      var texts: [String: String] = [:]
      for (name, value) in properties {
        guard let text = value.propertyText else {
          throw NodeError(
            "the property `\(name)` is neither text, number nor true or false",
            remedy: "write it as text, as `gst-launch-1.0` takes it", key: "properties.\(name)")
        }
        texts[name] = text
      }
      return texts
    }
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let texts = try texts
    let plugin = inspection.flatMap { $0.plugin.isEmpty ? nil : $0.plugin }
    func references(_ direction: PortDirection) -> [String: PadReference] {
      let those = pads.filter { $0.pad.direction == direction }
      return Dictionary(
        those.map {
          ($0.port, $0.pad.presence == .request ? .request($0.pad.name) : .fixed($0.pad.name))
        },
        uniquingKeysWith: { first, _ in first })
    }
    let chain = ElementChain(
      [ElementSpec(element, plugin: plugin, texts)], inputs: references(.input),
      outputs: references(.output))
    var parsed = chain
    for (port, format) in formats { parsed.inputElements[port] = parsers(before: port, format) }
    return [parsed, chain]
  }
}

extension GStreamerElement {
  /// What brings packets into the framing that an input takes: H.264 comes as `avc` from an encoder
  /// and from a movie, and MPEG-TS takes `byte-stream` alone. None where the input's template asks
  /// for no framing.
  private func parsers(before port: String, _ format: FormatConstraint) -> [ElementSpec]? {
    let inputs = pads.filter { name, pad in
      // The second of a repeatable port is `in.2`.
      pad.direction == .input && (name == port || port.hasPrefix("\(name)."))
    }
    guard let codec = format.codecs.first, format.codecs.count == 1, !codec.parsers.isEmpty else {
      return nil
    }
    let structures = inputs.flatMap { $0.pad.caps.split(separator: ";") }.filter {
      $0.drop { $0 == " " }.hasPrefix(codec.mediaType)
    }
    let isFramed = structures.contains { structure in
      Self.framing.contains { structure.contains("\($0)=") }
    }
    return isFramed ? codec.parsers : nil
  }

  /// The fields of caps that say how packets are framed.
  private static let framing = ["stream-format", "alignment", "framed", "parsed"]
}

extension JSONValue {
  /// The value as an element's property text; `nil` for what has none.
  fileprivate var propertyText: String? {
    switch self {
    case .bool(let flag): "\(flag)"
    case .number(let number): wholeNumber.map { "\($0)" } ?? "\(number)"
    case .string(let text): text
    case .null, .array, .object: nil
    }
  }
}

extension String {
  /// A pad template's name without its number: `sink` of `sink_%u`.
  fileprivate var prefixBeforeNumber: String {
    guard let percent = firstIndex(of: "%") else { return self }
    let name = self[..<percent]
    return String(name.hasSuffix("_") ? name.dropLast() : name)
  }

  /// Whether it holds the other or is held by it, or begins as it does.
  fileprivate func isNear(_ other: String) -> Bool {
    let shared = zip(self, other).prefix { $0 == $1 }.count
    return contains(other) || other.contains(self) || shared * 2 > count
  }
}

/// The files that elements read and write by a `location`.
extension GStreamerElement {
  /// The properties that name files: a sink writes there, a source reads.
  private static let locations = ["location", "playlist-location"]

  public var namedFiles: [NamedFile] {
    guard let inspection else { return [] }
    let directions = Set(inspection.pads.map(\.direction))
    // What has pads of both kinds may look something up there, such as a picture to lay over.
    guard directions.count == 1 else { return [] }
    return Self.locations.compactMap { name in
      guard inspection.properties.contains(name), case .string(let text)? = properties[name],
        let path = text.filePath
      else { return nil }
      return NamedFile(path, key: "properties.\(name)", isWritten: directions.contains(.input))
    }
  }

  /// Refuses to write over files, as every sink does.
  func checkFiles(in environment: any Environment) throws(NodeError) {
    // What is appended to keeps what it has.
    guard !overwrite, !environment.replacesFiles, properties["append"] != .bool(true) else {
      return
    }
    for file in namedFiles where file.isWritten && !file.path.hasPrefix("/dev/") {
      for path in file.existing(in: environment) {
        do {
          try OutputFile(path, replaces: false).check(in: environment)
        } catch {
          throw NodeError(error.message, remedy: error.remedy, key: file.key)
        }
      }
    }
  }
}

extension String {
  /// The path of a location that leads to this machine's files; `nil` for another address.
  fileprivate var filePath: String? {
    let scheme = "file://"
    let path = hasPrefix(scheme) ? String(dropFirst(scheme.count)) : self
    return path.isEmpty || path.contains("://") ? nil : path
  }
}
