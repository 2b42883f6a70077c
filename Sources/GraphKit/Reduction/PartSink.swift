/// Writes what the reducers of a graph have made of a part of its audio to one file.
struct PartSink: SwiftNode {
  /// A reducer of the graph, and the frames of its part.
  struct Reducer: Sendable {
    var name: String
    var frames: Range<Int>
  }

  /// The file.
  var path = ""
  private let reducers: [Reducer]
  private var summaries: [[UInt8]]

  init() { self.init(path: "", []) }

  init(path: String, _ reducers: [Reducer]) {
    (self.path, self.reducers) = (path, reducers)
    summaries = Array(repeating: [], count: reducers.count)
  }

  static let declaration = NodeDeclaration<PartSink>(
    "partSink", role: .sink, help: "Writes a part's summaries.", example: "",
    parameters: [.path("path", \.path, help: "The file.")])

  static let ports = SinkPorts<AnyMedia>(help: "Summaries.")

  var portDeclarations: [PortDeclaration] {
    reducers.indices.map {
      PortDeclaration("in.\($0 + 1)", .input, FormatConstraint(.any), help: "A summary.")
    }
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    var bytes: [UInt8] = []
    sample.withBytes { span in
      for index in span.indices { bytes.append(span[index]) }
    }
    summaries[input] = bytes
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    let entries = zip(reducers, summaries).map { reducer, summary in
      PartFile.Entry(
        reducer: reducer.name, start: reducer.frames.lowerBound, end: reducer.frames.upperBound,
        summary: summary)
    }
    var file = try WholeFile(path)
    try file.write(PartFile(entries).bytes)
    try file.complete()
  }
}
