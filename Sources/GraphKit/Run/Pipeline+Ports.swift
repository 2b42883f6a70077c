import GStreamer

/// What a program exchanges with a running graph: parameters, samples, events.
extension Pipeline {
  /// Changes a live parameter, by `node.parameter`, with the first sample at or after `time`.
  public func set(_ path: String, to value: JSONValue, at time: MediaTime? = nil)
    throws(NodeError)
  {
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let node = plan[parts[0]] else {
      throw NodeError("\(path) names no node", remedy: "write it as node.parameter")
    }
    let known = node.type.parameters.first { $0.name == parts[1] }
    guard let known, known.isLive, let changes = lowered.changes[node.name] else {
      let live = node.type.parameters.filter(\.isLive).map(\.name).joined(separator: ", ")
      throw NodeError(
        "\(path) can't change while the graph runs",
        remedy: live.isEmpty ? "\(node.type) has no live parameter" : "live are: \(live)",
        key: parts[1])
    }
    var trial = node.node
    guard node.type.set(parts[1], to: value, of: &trial) else {
      throw NodeError(
        "\(path) doesn't take \(value)", remedy: "see `graphctl nodes \(node.type)`", key: parts[1])
    }
    changes.add(parts[1], value, at: time)
  }

  /// The writing end of an `appInput` node.
  public func input(_ node: String) throws(NodeError) -> SampleInput {
    if let input = lowered.inputs[node] { return input }
    throw NodeError("\(node) is no appInput of this graph", remedy: "name one of its appInputs")
  }

  /// The reading end of an `appOutput` node.
  public func output(_ node: String) throws(NodeError) -> SampleOutput {
    if let output = lowered.outputs[node] { return output }
    throw NodeError("\(node) is no appOutput of this graph", remedy: "name one of its appOutputs")
  }

  /// What happens from now on, until the end. Each call gives a stream of its own; one that
  /// nobody reads keeps the newest thousand events.
  public func events() -> AsyncStream<PipelineEvent> {
    let log = context.log
    return AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = log.listen { event in
        continuation.yield(event)
        if case .end = event.kind { continuation.finish() }
      }
      continuation.onTermination = { _ in log.stopListening(number) }
      if state.isEnd { continuation.finish() }
    }
  }
}
