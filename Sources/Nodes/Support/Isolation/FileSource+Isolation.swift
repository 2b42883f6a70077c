import GraphKit

extension FileSource {
  /// What is wrong with `isolate` and other parameters together.
  var isolationProblem: NodeError? {
    guard isolate else { return nil }
    if path.isWebAddress {
      return NodeError(
        "`isolate` reads files of this machine, and `path` is an address",
        remedy: "fetch the file first, or leave out `isolate`", key: "isolate")
    }
    guard exact else { return nil }
    return NodeError(
      "with `isolate` the file is decoded, and there is no copy to cut",
      remedy: "leave out `exact`: ranges of decoded streams are exact", key: "exact")
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
    if streams.contains(where: { $0.format.family == "text" }) {
      notices.append("the subtitles of `\(path)` aren't read with `isolate`")
    }
    return (streams, notices)
  }

  /// The file as another process is to read it.
  var isolatedInput: IsolatedInput {
    var input = IsolatedInput(path)
    (input.from, input.to, input.duration, input.loop) = (from, to, duration, loop)
    (input.timeLimit, input.memoryLimit) = (timeLimit, memoryLimit << 20)
    return input
  }
}
