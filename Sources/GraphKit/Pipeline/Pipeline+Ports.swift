import GStreamer

/// What a program exchanges with a running graph: samples, events.
extension Pipeline {
  /// The writing end of an `appInput` node: the same at each call, before the start as after it.
  /// Throws where the graph has no such node.
  public func input(_ node: String) throws(NodeError) -> SampleInput {
    if let input = storage.lowered.inputs[node] { return input }
    throw NodeError("\(node) is no appInput of this graph", remedy: "name one of its appInputs")
  }

  /// The reading end of an `appOutput` node: the same at each call, before the start as after it.
  /// Throws where the graph has no such node.
  public func output(_ node: String) throws(NodeError) -> SampleOutput {
    if let output = storage.lowered.outputs[node] { return output.askedFor() }
    throw NodeError("\(node) is no appOutput of this graph", remedy: "name one of its appOutputs")
  }

  /// What happens from now on, until the end. Each call gives a stream of its own; one that isn't
  /// read keeps the newest thousand events. Only those of `kinds` are in it.
  public func events(
    of kinds: Set<PipelineEvent.Name> = Set(PipelineEvent.Name.allCases)
  ) -> AsyncStream<PipelineEvent> {
    let log = storage.context.log
    return AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let number = log.listen { event in
        if kinds.contains(event.kind.name) { continuation.yield(event) }
        if case .end = event.kind { continuation.finish() }
      }
      continuation.onTermination = { _ in log.stopListening(number) }
      if state.isEnd { continuation.finish() }
    }
  }
}

extension Pipeline {
  /// The reading end of a `preview` node that shows its frames to the program. Throws where the graph
  /// has no such node.
  public func preview(_ node: String) throws(NodeError) -> PreviewOutput {
    guard let output = storage.lowered.outputs[node],
      case .preview(let preview)? = storage.plan[node]?.node.work
    else {
      throw NodeError(
        "\(node) is no preview for a program in this graph",
        remedy: "name a preview that has neither a path nor a window")
    }
    return PreviewOutput(output, preview.preview)
  }
}

extension Pipeline {
  /// The trace so far; empty unless the configuration has it kept.
  public var trace: Trace { Trace(storage.context.log.trace) }
}
