import GraphKit
import Nodes

/// What a writer's tracks go to.
enum WriterOutput: Sendable {
  /// A movie, with its settings.
  case movie(MP4Sink)
  /// Segments that are handed to the program.
  case segments(SegmentOutput)

  /// The name of the node that hands segments over.
  static let segmentsName = "segments"

  /// What messages call it.
  var name: String {
    switch self {
    case .movie(let movie): "`\(movie.path)`"
    case .segments: "the segments"
    }
  }

  /// Where it is; `nil` where it is no file.
  var path: String? {
    if case .movie(let movie) = self { movie.path } else { nil }
  }

  /// Adds its node, with the languages of its ports and which of them exclude each other. The movie begins at a time of the graph's.
  func add(
    to builder: inout GraphBuilder, languages: [String: String], groups: [AlternateTracks],
    start: MediaTime
  ) -> MovieInputs {
    switch self {
    case .movie(var movie):
      movie.alternatives += groups
      movie.start = start
      for (port, language) in languages { movie.languages[port] = .string(language) }
      return MovieInputs(builder.add("movie", movie))
    case .segments(var segments):
      for (port, language) in languages { segments.languages[port] = .string(language) }
      return MovieInputs(builder.add(Self.segmentsName, segments))
    }
  }
}

/// The inputs of what a writer writes. The graph's check says where one isn't there.
struct MovieInputs {
  let video: InputEnd<EncodedVideo>
  let audio: InputEnd<EncodedAudio>
  let pcm: InputEnd<Audio>

  init<N: Node>(_ node: NodeHandle<N>) {
    video = node.port("video", as: EncodedVideo.self)
    audio = node.port("audio", as: EncodedAudio.self)
    pcm = node.port("pcm", as: Audio.self)
  }
}

/// The graph that a writer is: the program's samples, encoded, to a movie.
struct WritingGraph {
  let output: WriterOutput
  let inputs: [AssetWriterInput]
  let groups: [AssetWriterInputGroup]

  /// When the movie begins in the graph's time. Before that is room for what encoders of audio begin
  /// with, which has no place in segments: a quarter of a second, more than any codec has.
  var lead: MediaTime {
    guard case .movie = output, inputs.contains(where: \.isStoredAudio) else { return .zero }
    return MediaTime(value: 1, timescale: 4)
  }

  /// The name of the node at which an input's samples enter.
  static func entry(_ index: Int) -> String { "input\(index + 1)" }

  /// A pipeline that hasn't been started. Throws what the graph's checks find.
  func pipeline(stallTimeout: Double) throws -> Pipeline {
    let environment = LiveEnvironment()
    var configuration = Pipeline.Configuration()
    configuration.stallTimeout = stallTimeout
    return try Pipeline(
      try Plan(try graph(in: environment)), environment: environment,
      configuration: configuration)
  }

  private func graph(in environment: LiveEnvironment) throws(GraphErrors) -> Graph {
    var builder = GraphBuilder(catalog: .builtIn)
    var languages: [String: String] = [:]
    for (input, port) in zip(inputs, ports) { languages[port] = input.language }
    let groups = groups.map { $0.tracks(ports) }
    let movie = output.add(to: &builder, languages: languages, groups: groups, start: lead)
    for (index, input) in inputs.enumerated() {
      var node = input.entry
      node.hasPresentationTimes = input.isStoredAudio
      let entry = builder.add(Self.entry(index), node)
      input.wire(&builder, entry, movie, number(of: index))
    }
    return try builder.build(in: environment)
  }

  /// Which of the inputs to the same port an input is, from 1.
  private func number(of index: Int) -> Int {
    inputs[...index].count { $0.port == inputs[index].port }
  }

  /// The ports that the inputs' samples come to.
  var ports: [String] {
    inputs.indices.map { index in
      let number = number(of: index)
      return number == 1 ? inputs[index].port : "\(inputs[index].port).\(number)"
    }
  }
}
