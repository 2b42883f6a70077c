extension GraphBuilder {
  /// Checks, plans and runs the graph to its end; throws what is wrong with it, or why the run failed.
  ///
  /// A cancelled task cancels the run. A caller that wants to control the run while it goes on makes the
  /// ``Pipeline`` itself.
  @discardableResult
  public func run(in environment: any Environment = LiveEnvironment()) async throws -> Report {
    try await Pipeline(Plan(build(in: environment)), environment: environment).run()
  }
}
