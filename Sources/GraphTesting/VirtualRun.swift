import GraphKit

extension Graph {
  /// Runs the graph from start to end in virtual time: live sources as fast as the machine can,
  /// without a drop, and each time in the same way.
  ///
  /// Live sources must make their samples themselves, as `testVideo` and `testAudio` do. Throws
  /// what the plan or the run has to say, and where the report doesn't balance.
  public func runInVirtualTime(
    in environment: any Environment = LiveEnvironment(),
    configuration: Pipeline.Configuration = Pipeline.Configuration()
  ) async throws -> Report {
    var configuration = configuration
    configuration.clock = .virtual
    let pipeline = try Pipeline(
      Plan(self), environment: environment, configuration: configuration)
    let report = try await pipeline.run()
    try expectBalanced(report)
    return report
  }
}
