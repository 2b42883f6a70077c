import GraphKit

/// What `graphctl run` is asked for.
struct RunRequest {
  var graph: GraphFile
  /// Whether files that are there already may be replaced.
  var overwrites = false
  var options = GraphRun.Options()

  /// Runs the graph to its end. Throws where it doesn't complete.
  func run() throws {
    let interruption = Interruption.listening()
    let environment: any Environment = overwrites ? OverwritingEnvironment() : LiveEnvironment()
    try GraphRun(try graph.text(), of: graph.path, in: environment, options).run(interruption)
  }
}
