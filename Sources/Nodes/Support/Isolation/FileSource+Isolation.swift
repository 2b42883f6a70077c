import GraphKit

extension FileSource {
  /// What is wrong with `isolate` and other parameters together.
  var isolationProblem: NodeError? { isolate ? isolationProblem(asked: "`isolate`") : nil }

  /// Has a process of its own read the file where the environment has it read all.
  mutating func isolateAsAsked(by environment: any Environment) throws(NodeError) {
    guard environment.isolatesFiles, !isolate else { return }
    let word = "GRAPHKIT_ISOLATE or `isolatesFiles`"
    if let problem = isolationProblem(asked: word) { throw problem }
    isolate = true
  }

  /// What isolation doesn't go with; `word` is what asks for it.
  private func isolationProblem(asked word: String) -> NodeError? {
    if path.isWebAddress {
      return NodeError(
        "\(word) has files of this machine read, and `path` is an address",
        remedy: "fetch the file first, or leave out \(word)", key: isolate ? "isolate" : "path")
    }
    guard exact else { return nil }
    return NodeError(
      "with \(word) no frames at the ends of a copy are encoded anew",
      remedy: "leave out `exact`: players of a movie begin at `from` all the same, and ranges of "
        + "decoded streams are exact", key: "exact")
  }

  /// The streams of a file that another process looks into, with what a person should know.
  func discoverIsolated(
    in environment: any Environment
  ) throws(NodeError) -> (streams: [DiscoveredStream], notices: [String]) {
    let (streams, shortfall) = try environment.discover(isolated: isolatedInput)
    var notices: [String] = []
    if let shortfall {
      notices.append("the process that reads `\(path)` is confined in part: \(shortfall)")
    }
    return (streams, notices)
  }

  /// The file as another process is to read it.
  var isolatedInput: IsolatedInput {
    var input = IsolatedInput(path)
    (input.from, input.to, input.duration) = (from, to, duration)
    (input.timeLimit, input.memoryLimit) = (timeLimit, memoryLimit << 20)
    return input
  }
}
