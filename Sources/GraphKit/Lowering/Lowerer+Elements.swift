import GStreamer

/// Element nodes: choosing among their alternatives and making the elements.
extension Lowerer {
  func chooseChains() throws(PipelineFailure) -> [(PlanNode, ElementChain)] {
    var chains: [(PlanNode, ElementChain)] = []
    for node in plan.nodes {
      guard let element = node.node.work.elementNode else { continue }
      chains.append((node, try chooseChain(of: element, node)))
    }
    return chains
  }

  private func chooseChain(of element: any ElementNode, _ node: PlanNode)
    throws(PipelineFailure) -> ElementChain
  {
    let alternatives: [ElementChain]
    do {
      alternatives = try element.elements(in: environment, formats: plan.formats(at: node.name))
    } catch {
      throw PipelineFailure(node: node.name, message: error.message, remedy: error.remedy)
    }
    let isThere = { (chain: ElementChain) in
      chain.allElements.allSatisfy(self.environment.isInstalled)
    }
    if let chain = alternatives.first(where: isThere) { return chain }
    let wanted = alternatives.map { $0.elements.map(\.factory).joined(separator: " ! ") }
    throw PipelineFailure(
      node: node.name,
      message: "none of its elements is installed: \(wanted.joined(separator: ", or "))",
      remedy: "install the GStreamer plug-ins that hold them")
  }

  func make(_ chain: ElementChain, for node: PlanNode) throws(PipelineFailure) {
    let ports = Set(plan.outputs(of: node.name).map(\.from)).sorted { $0.port < $1.port }
    guard chain.isPerOutput else { return try makeRow(chain, node, ports, suffix: "") }
    for port in ports { try makeRow(chain, node, [port], suffix: "/\(port.port)") }
  }

  private func makeRow(
    _ chain: ElementChain, _ node: PlanNode, _ outputs: [PortReference], suffix: String
  ) throws(PipelineFailure) {
    let elements = try makeRow(chain.elements, for: node, suffix: suffix)
    if let output = chain.output {
      fileOutputs[node.name] = output
      if elements.isEmpty { return try makeWriter(output, chain, node) }
    }
    guard let first = elements.first, let last = elements.last else { return }
    if let output = chain.output {
      claims.append(OutputClaim(output.file, node: node.name, element: last, context: context))
    }
    primings[node.name] = chain.priming
    for wire in plan.inputs(of: node.name) {
      let pad = try inputPad(of: first, chain, wire, node)
      row(chain.entry(of: wire.to.port, in: chain.filters) ?? [], of: node).attach(to: pad)
      sinkPads[wire.to] = pad
    }
    followChanges(node, chain, elements)
    for port in outputs {
      let stream = node.node.fileStreams?[port.port]
      fileStreams[port] = stream
      if let edit = stream?.edit {
        first.pad("src")?.showFile(patches: edit.patches, end: edit.fileEnd)
      }
      let end = try sourceEnd(of: last, chain.outputs[port.port], port)
      let row = row(chain.filters[port.port] ?? [], of: node)
      if case .pad(let pad) = end { row.attach(to: pad) } else { lateFilters[port] = row }
      warnOfGaps(at: end, of: node)
      ends[port] = stream?.isReordered == true ? try time(end, port) : end
    }
  }

  /// Has an element node's live parameters change with the buffers that enter it.
  private func followChanges(_ node: PlanNode, _ chain: ElementChain, _ elements: [Element]) {
    let inputs = plan.inputs(of: node.name).compactMap { sinkPads[$0.to] }
    guard !inputs.isEmpty, node.type.parameters.contains(where: \.isLive) else { return }
    let changes = LiveChanges(
      of: node.name, node.type, at: node.node, in: plan, log: context.log)
    self.changes[node.name] = changes
    let (environment, formats) = (environment, plan.formats(at: node.name))
    let live = LiveElements(changes, elements, chain, log: context.log) {
      node throws(NodeError) in try node.elements(in: environment, formats: formats)
    }
    for pad in inputs { live.follow(pad) }
  }

  private func makeRow(_ specs: [ElementSpec], for node: PlanNode, suffix: String)
    throws(PipelineFailure) -> [Element]
  {
    var row: [Element] = []
    for (index, spec) in specs.enumerated() {
      let element = try make(spec, named: "\(node.name)\(suffix)/\(index)-\(spec.factory)", node)
      if isAside(node.name) { element.setAside() }
      add(element, for: node.name)
      if let previous = row.last, !previous.link(to: element) {
        throw PipelineFailure(
          node: node.name, message: "\(previous.name) does not fit \(element.name)",
          remedy: "check the node's parameters")
      }
      row.append(element)
    }
    return row
  }

  private func make(_ spec: ElementSpec, named name: String, _ node: PlanNode)
    throws(PipelineFailure) -> Element
  {
    guard let element = Element(factory: spec.factory, name: name) else {
      throw PipelineFailure(
        node: node.name, message: "the element \(spec.factory) can't be made",
        remedy: "install the GStreamer plug-in that holds it")
    }
    for (property, value) in spec.properties.sorted(by: { $0.key < $1.key })
    where !element.set(property, value) {
      throw PipelineFailure(
        node: node.name, message: "\(spec.factory) doesn't take \(property)=\(value)",
        remedy: "see `gst-inspect-1.0 \(spec.factory)` for what it takes")
    }
    return element
  }

  private func inputPad(
    of first: Element, _ chain: ElementChain, _ wire: PlanWire, _ node: PlanNode
  ) throws(PipelineFailure) -> Pad {
    let port = wire.to.port
    guard let reference = chain.entry(of: port, in: chain.inputs),
      let pad = pad(of: first, reference)
    else {
      throw PipelineFailure(
        node: node.name, message: "\(first.name) gives no input for \(port)",
        remedy: "wire fewer inputs, or look at `gst-inspect-1.0`")
    }
    return try lead(to: pad, of: first, chain, wire, node)
  }

  /// Puts an input's own elements before its pad; returns the pad that samples enter at.
  func lead(
    to pad: Pad, of first: Element, _ chain: ElementChain, _ wire: PlanWire, _ node: PlanNode
  ) throws(PipelineFailure) -> Pad {
    let port = wire.to.port
    if let output = chain.output { apply(output, to: pad, wire, node) }
    let account = chain.output?.tracks == nil ? nil : addAccount(of: wire)
    let specs = chain.entry(of: port, in: chain.inputElements) ?? []
    let row = try makeRow(specs, for: node, suffix: "/\(port)")
    guard let head = row.first, let tail = row.last else {
      account?.count(at: pad, isAudio: wire.format.kind == .encodedAudio)
      return pad
    }
    guard let source = tail.pad("src"), source.link(to: pad), let sink = head.pad("sink") else {
      throw PipelineFailure(
        node: node.name, message: "\(tail.name) does not fit \(first.name)",
        remedy: "wire another format to \(port)")
    }
    // Only a parser knows where a sample ends in what a program writes.
    let isWhole = plan[wire.from.node]?.node.work.entryNode == nil
    account?.count(at: isWhole ? sink : pad, isAudio: wire.format.kind == .encodedAudio)
    return sink
  }

  /// Opens the account of a file's next track.
  private func addAccount(of wire: PlanWire) -> TrackAccount {
    let account = TrackAccount(
      wire: wire.name, number: accounts[wire.to.node, default: []].count + 1)
    accounts[wire.to.node, default: []].append(account)
    return account
  }

  private func pad(of element: Element, _ reference: PadReference) -> Pad? {
    switch reference {
    case .fixed(let name): element.pad(name)
    case .request(let template): element.requestPad(template)
    case .stream: nil
    }
  }

  private func sourceEnd(of last: Element, _ reference: PadReference?, _ port: PortReference)
    throws(PipelineFailure) -> SourceEnd
  {
    switch reference {
    case .stream(let id): return .stream(last, id: id)
    case .some(let reference):
      if let pad = pad(of: last, reference) { return .pad(pad) }
      fallthrough
    case nil:
      throw PipelineFailure(
        node: port.node, message: "\(last.name) gives no output for \(port.port)",
        remedy: "look at `gst-inspect-1.0`")
    }
  }
}
