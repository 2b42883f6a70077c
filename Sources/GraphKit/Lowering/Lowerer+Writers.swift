import GStreamer

/// Files that are written in Swift.
extension Lowerer {
  /// Makes the element that a node's writer is, with an input for each track.
  func makeWriter(_ output: any FileOutput, _ chain: ElementChain, _ node: PlanNode)
    throws(PipelineFailure)
  {
    let wires = plan.inputs(of: node.name)
    let claim = OutputClaim(output.file, node: node.name, element: nil, context: context)
    claims.append(claim)
    let end = StageEnd()
    let body = WriterBody(
      node: node.name, constraints: wires.map { Caps(output.trackCaps(for: $0.format)) },
      claim: claim, context: context
    ) { end.post() }
    let element = SwiftElement(name: "\(node.name)/writer", inputs: wires.count, outputs: 0) { _ in
      body
    }
    end.element = element
    add(element, for: node.name)
    for (wire, pad) in zip(wires, element.inputs) {
      sinkPads[wire.to] = try lead(to: pad, of: element.element, chain, wire, node)
    }
    writers.append((node.name, body, claim))
  }

  /// Gives the writers what is known of their tracks, once all that feeds them is there.
  func openWriters() throws(PipelineFailure) {
    let tracks = tracks
    for (node, body, claim) in writers {
      let known = tracks[node] ?? plan.inputs(of: node).map { _ in OutputTrack() }
      guard let writer = fileOutputs[node]?.makeWriter(known, to: claim.writable) else {
        throw PipelineFailure(
          node: node, message: "it names neither elements nor a writer",
          remedy: "have its `FileOutput` make one")
      }
      body.open(writer)
    }
  }
}
