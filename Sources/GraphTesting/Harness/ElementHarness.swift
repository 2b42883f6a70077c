import GraphKit

/// A node of any kind on the real engine: samples go in, and what comes out is collected.
///
/// A small graph is built for each run, so an `ElementNode` works on its installed elements, and
/// whatever the planner puts beside it is there too. A node that is written in Swift is quicker to
/// test with ``NodeHarness``.
public struct ElementHarness<N: Node>: Sendable {
  /// The node.
  public let node: N
  private let input: String
  private let output: String
  private let catalog: Catalog
  private let environment: any Environment

  /// Sets a node up.
  /// - Parameters:
  ///   - node: the node.
  ///   - input: the port that samples go into.
  ///   - output: the port that samples come out of.
  ///   - catalog: the types that the planner may insert.
  ///   - environment: what the node may ask of the machine.
  public init(
    _ node: N, input: String = "in", output: String = "out", catalog: Catalog,
    environment: any Environment = LiveEnvironment()
  ) {
    self.node = node
    self.input = input
    self.output = output
    self.catalog = catalog
    self.environment = environment
  }

  /// Sends samples of one format through the node, and returns what came out until its end.
  /// Throws what the graph, the plan or the run has to say; at least one sample is needed, since
  /// the first one's format is that of the input.
  public func run(_ samples: [CollectedSample]) async throws -> [CollectedSample] {
    guard let first = samples.first else {
      throw NodeError("there is no sample", remedy: "give the harness at least one")
    }
    let pipeline = try makePipeline(first.sample.format)
    let (entry, exit) = (try pipeline.input("entry"), try pipeline.output("exit"))
    pipeline.start()
    let writer = Task {
      defer { entry.markAsFinished() }
      do {
        for collected in samples { try await entry.append(collected.sample.share()) }
      } catch is SampleInputClosed {
        // Where the run fails, its end says why.
      }
    }
    var collected: [CollectedSample] = []
    while let sample = await exit.next() { collected.append(CollectedSample(sample)) }
    let report = try await pipeline.end()
    try await writer.value
    try expectBalanced(report)
    return collected
  }

  private func makePipeline(_ format: FormatDescription) throws -> Pipeline {
    var graph = GraphBuilder(catalog: catalog)
    let entry = graph.add("entry", SampleEntry(format))
    let tested = graph.add("node", node)
    let exit = graph.add("exit", SampleExit())
    graph.connect(entry.output, to: tested.port(input, as: AnyMedia.self))
    graph.connect(tested.port(output, as: AnyMedia.self), to: exit.input)
    return try Pipeline(
      Plan(graph.build(in: environment)), environment: environment)
  }
}
