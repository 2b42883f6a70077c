@testable import GraphKit

/// Node types that do nothing but declare: enough for a graph to be checked.
enum CheckerNodes {
  static let catalog = Catalog([
    NodeType(Tone.self), NodeType(Picture.self), NodeType(Gain.self), NodeType(Relay.self),
    NodeType(VideoEncoder.self), NodeType(SoundEncoder.self), NodeType(MovieSink.self),
    NodeType(SoundSink.self), NodeType(FileSource.self), NodeType(Mixer.self),
    NodeType(Splitter.self),
  ])

  enum Wave: String, CaseIterable, Sendable { case sine, square, silence }

  struct Tone: Node {
    static let declaration = NodeDeclaration<Tone>(
      "tone", role: .source, help: "A tone.", example: "tone -> gain",
      parameters: [
        .number(
          "frequency", \.frequency, in: 20...20_000, unit: "Hz", help: "How high it sounds."),
        .choice("wave", \.wave, help: "Its shape."),
        .integer("channels", \.channels, in: 1...8, help: "The number of channels."),
        .bool("live", \.isPaced, help: "Whether it comes as time passes."),
      ])
    static let ports = SourcePorts<Audio>(help: "The tone.")
    var frequency = 440.0
    var wave = Wave.sine
    var channels = 2
    var isPaced = false
  }

  struct Picture: Node {
    static let declaration = NodeDeclaration<Picture>(
      "picture", role: .source, help: "A picture.", example: "picture -> videoEncoder",
      parameters: [
        .integer("width", \.width, in: 16...8192, unit: "pixels", help: "Width in pixels."),
        .rational("frameRate", \.frameRate, unit: "1/s", help: "Frames a second."),
      ])
    static let ports = SourcePorts<Video>(help: "The picture.")
    var width = 640
    var frameRate = Rational(30)
    var portDeclarations: [PortDeclaration] {
      [PortDeclaration("out", .output, .video(width: width, frameRate: frameRate), help: "")]
    }
  }

  struct Gain: Node {
    static let declaration = NodeDeclaration<Gain>(
      "gain", role: .effect, help: "Changes the volume.", example: "tone -> gain",
      parameters: [
        .number("decibels", \.decibels, in: -120...60, unit: "dB", live: true, help: "The gain.")
      ])
    static let ports = EffectPorts<Audio>(.audio([.f32]))
    var decibels = 0.0
  }

  /// Hands on whatever comes.
  struct Relay: Node {
    static let declaration = NodeDeclaration<Relay>(
      "relay", role: .general, help: "Hands on.", example: "a -> relay -> b")
    static let ports = EffectPorts<AnyMedia>()
  }

  struct VideoEncoder: Node {
    static let declaration = NodeDeclaration<VideoEncoder>(
      "videoEncoder", role: .encoder, help: "H.264.", example: "picture -> videoEncoder",
      parameters: [
        .integer(
          "bitRate", \.bitRate, in: 1000...100_000_000, unit: "bit/s", help: "Bits a second.")
      ])
    static let ports = TransformPorts<Video, EncodedVideo>(
      FormatConstraint(.video), .encoded(.h264))
    var bitRate: Int?
  }

  struct SoundEncoder: Node {
    static let declaration = NodeDeclaration<SoundEncoder>(
      "soundEncoder", role: .encoder, help: "AAC.", example: "tone -> soundEncoder")
    static let ports = TransformPorts<Audio, EncodedAudio>(.audio([.s16]), .encoded(.aac))
  }

  struct MovieSink: Node {
    struct Ports: PortSet {
      let video = InputPort<EncodedVideo>(
        "video", .encoded(.h264, .hevc), isRequired: false, help: "Pictures.")
      let audio = InputPort<EncodedAudio>(
        "audio", .encoded(.aac), isRepeatable: true, isRequired: false, help: "Sound.")
    }
    static let declaration = NodeDeclaration<MovieSink>(
      "movieSink", role: .sink, help: "A movie.", example: "soundEncoder -> movieSink.audio",
      parameters: [
        .path("path", \.path, help: "Where the movie goes."),
        .object("tags", \.tags, help: "What players show."),
      ])
    static let ports = Ports()
    var path = ""
    var tags: [String: JSONValue] = [:]
    var problem: NodeError? {
      path.hasSuffix(".mp4")
        ? nil
        : NodeError("`\(path)` is no movie's name", remedy: "end it in .mp4", key: "path")
    }
  }

  struct SoundSink: Node {
    static let declaration = NodeDeclaration<SoundSink>(
      "soundSink", role: .sink, help: "A sound file.", example: "tone -> soundSink",
      parameters: [.path("path", \.path, help: "Where the sound goes.")])
    static let ports = SinkPorts<Audio>(help: "The sound.")
    var path = ""
  }

  struct FileSource: Node {
    static let declaration = NodeDeclaration<FileSource>(
      "file", role: .source, help: "A file.", example: "file.video -> movieSink",
      parameters: [.path("path", \.path, help: "The file.")])
    struct Ports: PortSet {}
    static let ports = Ports()
    var path = ""
    var portDeclarations: [PortDeclaration] = []
    mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
      var counts: [String: Int] = [:]
      for stream in try environment.discover(path) {
        guard case .encoded(let encoded) = stream.format else { continue }
        let name = encoded.codec.kind == .encodedVideo ? "video" : "audio"
        counts[name, default: 0] += 1
        let number = counts[name] == 1 ? "" : ".\(counts[name]!)"
        portDeclarations.append(
          PortDeclaration(name + number, .output, .encoded(encoded.codec), help: ""))
      }
      return ["\(portDeclarations.count) streams"]
    }
  }

  struct Mixer: Node {
    struct Ports: PortSet {
      let input = InputPort<Audio>(
        "in", isRepeatable: true, isRequired: true, help: "What is mixed.")
      let output = OutputPort<Audio>("out", help: "The mix.")
    }
    static let declaration = NodeDeclaration<Mixer>(
      "mixer", role: .general, help: "Mixes.", example: "tone -> mixer")
    static let ports = Ports()
  }

  struct Splitter: Node {
    struct Ports: PortSet {
      let input = InputPort<Audio>(help: "Sound.")
      let left = OutputPort<Audio>("left", help: "The left channel.")
      let right = OutputPort<Audio>("right", help: "The right channel.")
    }
    static let declaration = NodeDeclaration<Splitter>(
      "splitter", role: .general, help: "Splits.", example: "tone -> splitter")
    static let ports = Ports()
  }

  /// A machine with two files.
  struct Machine: Environment {
    func isInstalled(_ element: ElementSpec) -> Bool { true }
    func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
      throw NodeError("no \(factory)", remedy: "install it")
    }
    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
      let codecs: [Codec]
      switch path {
      case "movie.mp4": codecs = [.h264, .aac]
      case "dub.mkv": codecs = [.vp9, .aac, .opus]
      default:
        throw NodeError("there is no file `\(path)`", remedy: "check the path", key: "path")
      }
      return codecs.enumerated().map { index, codec in
        DiscoveredStream(
          identifier: "\(index)", format: .encoded(EncodedFormat(codec)), duration: nil)
      }
    }
    func devices(_ kind: DeviceKind) -> [Device] { [] }
    func outputPlace(_ path: String) -> OutputPlace { .free }
  }

  /// The graph of a text.
  static func graph(_ json: String, set overrides: [String: String] = [:]) throws -> Graph {
    let document = try GraphDocument(json: json, file: "g.json")
    return try Graph(
      checking: document, catalog: catalog, environment: Machine(), set: overrides)
  }

  /// What is wrong with the graph of a text, one line for each diagnostic.
  static func complaints(_ json: String, set overrides: [String: String] = [:]) -> [String] {
    do {
      return try graph(json, set: overrides).warnings.map(\.description)
    } catch let errors as GraphErrors {
      return errors.diagnostics.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  /// A graph of nodes and wires, the nodes from line 3 on, and the list of wires in the line
  /// behind `"wires": [`.
  static func json(nodes: [String], wires: [String]) -> String {
    """
    {
      "nodes": {
        \(nodes.joined(separator: ",\n    "))
      },
      "wires": [
        \(wires.map { "\"\($0)\"" }.joined(separator: ",\n    "))
      ]
    }
    """
  }
}
