import GraphKit
import Nodes

/// The graph that a writer is: the program's samples, encoded, to a movie.
struct WritingGraph {
  /// The movie's settings.
  let movie: MP4Sink
  let inputs: [AssetWriterInput]

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
    var settings = movie
    for (input, port) in zip(inputs, ports) {
      if let language = input.language { settings.languages[port] = .string(language) }
    }
    let sink = builder.add("movie", settings)
    for (index, input) in inputs.enumerated() {
      let entry = builder.add(Self.entry(index), input.entry)
      input.wire(&builder, entry, sink, number(of: index))
    }
    return try builder.build(in: environment)
  }

  /// Which of the inputs to the same port an input is, from 1.
  private func number(of index: Int) -> Int {
    inputs[...index].count { $0.port == inputs[index].port }
  }

  private var ports: [String] {
    inputs.indices.map { index in
      let number = number(of: index)
      return number == 1 ? inputs[index].port : "\(inputs[index].port).\(number)"
    }
  }
}
